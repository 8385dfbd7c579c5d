"""What goes into the methods of the client, and what comes out of them."""

from .generated.types import *
