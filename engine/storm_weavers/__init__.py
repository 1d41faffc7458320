"""Storm Weavers: The Northern Border - a solo gamebook fighter."""
