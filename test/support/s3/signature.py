"""What AWS's own library signs a request with: {method, url, headers, accessKeyId, secretAccessKey}."""

import json
import sys

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

given = json.loads(sys.argv[1])
request = AWSRequest(method=given["method"], url=given["url"], headers=given["headers"])
request.context["timestamp"] = given["headers"]["x-amz-date"]
auth = S3SigV4Auth(Credentials(given["accessKeyId"], given["secretAccessKey"]), "s3", "eu-central-1")
auth.timestamp = given["headers"]["x-amz-date"]
text = auth.string_to_sign(request, auth.canonical_request(request))
print(auth.signature(text, request))
