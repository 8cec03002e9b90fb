"""Calls a tool with the clients of PyPI, then once more with an access token that has ended.

Arguments: `mcp` or `fastmcp`, and the address of the server. The person who logs in is the command `xdg-open`.
"""

import asyncio
import json
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

client_name, url = sys.argv[1:]
redirect = "http://127.0.0.1:33419/callback"


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def with_mcp():
    callback = asyncio.get_running_loop().create_future()

    async def answer(reader, writer):
        path = (await reader.readline()).decode().split(" ")[1]
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()
        callback.set_result(parse_qs(urlsplit(path).query))

    async def open_page(address):
        await asyncio.to_thread(subprocess.run, ["xdg-open", address], check=True)

    async def wait_for_callback():
        query = await callback
        return AuthorizationCodeResult(
            code=query["code"][0], state=query["state"][0], iss=query["iss"][0]
        )

    auth = OAuthClientProvider(
        url,
        OAuthClientMetadata(client_name="python", redirect_uris=[redirect]),
        Memory(),
        redirect_handler=open_page,
        callback_handler=wait_for_callback,
    )
    async with await asyncio.start_server(answer, "127.0.0.1", 33419):
        async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
            async with Client(streamable_http_client(url, http_client=http)) as client:
                await call_twice(client, auth)


async def with_fastmcp():
    import fastmcp

    async with fastmcp.Client(url, auth="oauth") as client:
        await call_twice(client, client.transport.auth)


async def call_twice(client, auth):
    await call(client)
    print("called")
    auth.context.token_expiry_time = 1
    await call(client)
    print("called after the end of the token")


async def call(client):
    # The client checks the answer against the tool's output schema, with its references.
    action = {"Effect": "Allow", "Action": "s3:GetObjct", "Resource": "*"}
    policy = {"Version": "2012-10-17", "Statement": action}
    answer = await client.call_tool("validate_policies", {"policies": [json.dumps(policy)]})
    assert "s3:GetObject" in answer.content[0].text


asyncio.run(with_mcp() if client_name == "mcp" else with_fastmcp())
