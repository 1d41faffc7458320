"""What can be done and answered, without HTML: actions with their fields, open questions, faces to tap."""
