"""The table on the page: live sessions, devices, cameras, and who may do what."""
