"""What people read, held to plain and correctly spelt English: ``python -m tests.prose`` lists what is not."""
