# Made by `npm run client` from the OpenAPI document. Changes belong to the operations.
"""What follows from the operations of the server."""
