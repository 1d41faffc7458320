"""The table on the page: sittings, devices, cameras, and who may do what."""
