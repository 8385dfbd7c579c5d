"""Tests of the client without a server. What a real one answers is compared in `test/api/python-client/`."""
