"""The pages of the table: what people see in the browser, made on this machine as plain HTML."""
