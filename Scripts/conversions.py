"""What Scripts/fetch-vectors makes of documents, and of tests that are written as code."""
import base64
import hashlib
import json
import re

# RFC 9421, from the last draft before it.


def code_blocks(text):
    """The blocks of a document in Markdown, by the anchor or the title of their section."""
    blocks, section = {}, ""
    for anchored, title, block in re.findall(r"(?ms)^#[^\n]*\{#([^\n]*)\}[^\n]*$|^#+ *([^\n]*)$|^~~~[^\n]*\n(.*?)\n?^~~~", text):
        section = anchored or title or section
        if not anchored and not title:
            # Without the line wrapping of RFC 8792.
            block = block.split("\n\n", 1)[1] if block.startswith("NOTE: '\\' line wrapping") else block
            blocks.setdefault(section, []).append(re.sub(r"\\\n *", "", block))
    return blocks


def message(text):
    """A message as it is printed, and apart from it the fields of its signatures."""
    head, _, body = text.partition("\n\n")
    start, *lines = head.splitlines()
    headers = [line.split(": ", 1) for line in lines]
    signature = {name: value for name, value in headers if name.startswith("Signature")}
    rest = {"headers": [field for field in headers if field[0] not in signature], "body": body.strip("\n")}
    if start.startswith("HTTP/"):
        return {"kind": "response", "status": int(start.split()[1])} | rest, signature
    method, target, _ = start.split()
    return {"kind": "request", "method": method, "request_target": target, "scheme": "https"} | rest, signature


def signature_base(parts, parameters):
    """The base of a request that is printed without one (section 2.5)."""
    path, _, query = parts["request_target"].partition("?")
    fields = {}
    for name, value in parts["headers"]:
        fields.setdefault(name.lower(), []).append(value)
    derived = {"@method": parts["method"], "@authority": fields["host"][0], "@path": path, "@query": f"?{query}"}
    names = re.findall(r'"([^"]+)"', parameters[: parameters.index(")")])
    lines = [f'"{name}": {derived.get(name) or ", ".join(fields[name])}' for name in names]
    return "\n".join([*lines, f'"@signature-params": {parameters}'])


def message_signatures(draft):
    blocks = code_blocks(draft)
    keys = {"test-shared-secret": {"default_algorithm": "hmac-sha256", "secret_base64": blocks["example-shared-secret"][0]}}
    for name, section, algorithm in (
        ("rsa", "example-key-rsa-test", "rsa-v1_5-sha256"), ("rsa-pss", "example-key-rsa-pss-test", "rsa-pss-sha512"),
        ("ecc-p256", "example-key-ecc-p256", "ecdsa-p256-sha256"), ("ed25519", "example-key-ed25519", "ed25519"),
    ):  # fmt: skip
        public, private = blocks[section][0].strip().split("\n\n")
        keys[f"test-key-{name}"] = {"default_algorithm": algorithm, "public_pem": public, "private_pem": private}
    examples, proxied, changed, bound, several = (
        blocks[name]
        for name in ("Test Cases", "TLS-Terminating Proxies", "example-transform", "content-request-response", "signature-multiple")
    )
    printed = {
        "test-request": examples[0], "test-response": examples[1], "b3-client-request": proxied[0],
        "b3-proxied-request": proxied[4], "s24-request": bound[0], "s24-response": bound[3], "s24-signed-request": bound[4],
        "s43-client-request": several[0], "s43-proxied-request": several[4],
    }  # fmt: skip
    transformed = [changed[0], *changed[2:]]
    printed |= {f"b4-{index}": text for index, text in enumerate(transformed)}
    messages, signed = {}, {}
    for name, text in printed.items():
        messages[name], signed[name] = message(text)
    # The draft prints a digest here that is of another body; its signature is over the right one, as is the RFC's.
    response = messages["test-response"]
    digest = base64.b64encode(hashlib.sha512(response["body"].encode()).digest()).decode()
    for field in response["headers"]:
        if field[0] == "Content-Digest":
            field[1] = f"sha-512=:{digest}:"
    # Bound to the request's signature too, or signed over it: so it stays in the message.
    signed["s43-proxied-request"] = {
        name: re.sub(", +", ", ", value) for name, value in signed["s43-proxied-request"].items()
    }
    for name in ("s24-signed-request", "s43-proxied-request"):
        messages[name]["headers"] += [list(field) for field in signed[name].items()]

    # (id, message, the fields with its signature, its base)
    titles = (
        "Minimal Signature Using rsa-pss-sha512", "Selective Covered Components using rsa-pss-sha512",
        "Full Coverage using rsa-pss-sha512", "Signing a Response using ecdsa-p256-sha256",
        "Signing a Request using hmac-sha256", "Signing a Request using ed25519",
    )  # fmt: skip
    cases = []
    for number, title in enumerate(titles, 1):
        fields = dict(line.split(": ", 1) for line in blocks[title][1].strip().splitlines())
        cases.append((f"B.2.{number}", "test-response" if number == 4 else "test-request", fields, blocks[title][0]))
    cases.append(("B.3", "b3-proxied-request", signed["b3-proxied-request"], proxied[2]))
    for index in range(len(transformed)):
        cases.append((f"B.4.{index}", f"b4-{index}", signed[f"b4-{index}"], changed[1] if index < 4 else None))
    cases += [
        ("2.4-a", "s24-response", signed["s24-response"], bound[2]),
        ("2.4-b-request", "s24-signed-request", signed["s24-signed-request"], None),
        ("2.4-b", "s24-response", message(bound[6])[1], bound[5]),
        ("4.3-client", "s43-client-request", signed["s43-client-request"], None),
        ("4.3-proxy", "s43-proxied-request", signed["s43-proxied-request"], several[2]),
        ("3.1", "test-request", message(blocks["verify"][0])[1], blocks["create-sig-input"][2]),
    ]
    related = {"2.4-a": "s24-request", "2.4-b": "s24-signed-request"}
    rows = []
    for name, of, fields, base in cases:
        label = "proxy_sig" if name == "4.3-proxy" else fields["Signature-Input"].split("=")[0]
        parameters = re.search(rf'{label}=(\([^)]*\)(?:;\w+=(?:"[^"]*"|\d+))*)', fields["Signature-Input"])[1]
        signature = re.search(rf"{label}=:([^:]*):", fields["Signature"])[1]
        key = re.search(r'keyid="([^"]*)"', parameters)[1]
        algorithm = keys[key]["default_algorithm"]
        row = {
            "id": name, "message": of, "label": label, "algorithm": algorithm, "keyid": key, "signature_params": parameters,
            "signature_base64": signature, "signature_base": base or signature_base(messages[of], parameters),
            "expect": "invalid" if name.startswith("B.4.") and base is None else "valid",
            "reproducible": algorithm in ("hmac-sha256", "ed25519", "rsa-v1_5-sha256"),
            "headers_to_add": {"Signature-Input": f"{label}={parameters}", "Signature": f"{label}=:{signature}:"},
        }  # fmt: skip
        rows.append(row | ({"related_request": related[name]} if name in related else {}))
    return {"keys": keys, "messages": messages, "cases": rows}


# The AWS SDKs' retry tables: YAML in Kotlin, and as much of YAML as they use.


def scalar(text):
    if text.startswith('"') or text in ("true", "false"):
        return json.loads(text)
    return json.loads(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else text


def yaml(lines):
    """What lines of the same or deeper indentation say; the lines are (indentation, text) and are used up."""
    indentation, text = lines[0]
    value = [] if text.startswith("- ") else {}
    while lines and lines[0][0] == indentation:
        text = lines.pop(0)[1]
        if text.startswith("- "):
            lines.insert(0, (indentation + 2, text[2:]))
            value.append(yaml(lines))
        else:
            name, _, rest = text.partition(":")
            value[name] = scalar(rest.strip()) if rest.strip() else yaml(lines)
    return value


def retry_tables(files):
    names = {
        "standardRetryIntegrationTestCases": "standard_v2_0",
        "newStandardRetryIntegrationTestCases": "standard_v2_1",
        "newStandardRetryLongPollingTestCases": "standard_v2_1_long_polling",
        "newStandardRetryMultiInvocationTestCases": "standard_v2_1_multi_invocation",
        "newStandardRetryMultiThreadedTestCases": "standard_v2_1_multi_threaded",
        "adaptiveRetryCubicTestCases": "adaptive_cubic",
        "adaptiveRetryE2eTestCases": "adaptive_end_to_end",
    }
    tables = {}
    for text in files:
        for name, table in re.findall(r"^val (\w+) = mapOf\((.*?)^\)", text, re.MULTILINE | re.DOTALL):
            rows = tables[names[name]] = []
            for title, block in re.findall(r'"([^"\n]+)" to //.*?"""(.*?)"""', table, re.DOTALL):
                lines = [line for line in block.splitlines() if line.strip() and line.strip()[0] != "#"]
                found = yaml([(len(line) - len(line.lstrip()), line.strip()) for line in lines])
                rows.append({"name": title} | found)
    if len(tables) != len(names):
        raise ValueError("its tables are named otherwise")
    return tables


# What curl sends on each hop of a redirect.


def redirect_flow(number, text):
    """A case of curl's tests: the command, where the replies point, and what each request has to be."""
    variables = {
        "TESTNUMBER": str(number), "HOSTIP": "127.0.0.1", "HTTPPORT": "8990", "AMP": "&", "VERSION": "9.9.9",
        "SRCDIR": "/src",
    }
    text = re.sub(r"%b64\[(.*?)\]b64%", lambda found: base64.b64encode(found[1].encode()).decode(), text)
    text = re.sub(r"%([A-Z]+)", lambda found: variables.get(found[1], found[0]), text)

    def part(name):
        found = re.search(rf"<{name}( [^>]*)?>\n(.*?)\n</{name}>", text, re.DOTALL)
        return found[2] if found else ""

    replies = re.findall(r"<data\d*(?: [^>]*)?>\n(.*?)</data\d*>", part("reply"), re.DOTALL)
    requests = []
    for head in re.split(r"\n\n+", part("protocol").strip("\n")):
        line, *lines = head.splitlines()
        fields = {name.lower(): value.strip() for name, value in (field.split(":", 1) for field in lines)}
        requests.append({
            "request_line": line, "host": fields.get("host"), "authorization": fields.get("authorization"),
            "cookie": fields.get("cookie"), "signature": "signature" in fields, "x_amz_date": "x-amz-date" in fields,
        })
    return {
        "origin": f"curl/curl tests/data/test{number}", "name": part("name"), "command": part("command"),
        "location": [found[1] for reply in replies if (found := re.search("^Location: (.*)", reply, re.MULTILINE))],
        "requests": requests,
    }


# URLs, from the tests of browsers.


def url_cases(texts):
    """The cases without the comments between them, and without those that no UTF-8 has."""

    def is_text(case):
        return not re.search("[\ud800-\udfff]", json.dumps(case, ensure_ascii=False))

    return [case for text in texts for case in json.loads(text) if isinstance(case, dict) and is_text(case)]


# Credentials of AWS, from recorded traffic.


def exchanges(traffic):
    """Requests with their responses, in the order in which they were sent."""
    by_connection = {}
    for event in traffic["events"]:
        entry = by_connection.setdefault(event["connection_id"], {"body": ""})
        (kind, value), = event["action"].items()
        if kind == "Request":
            entry |= {"method": value["request"]["method"], "uri": value["request"]["uri"]}
        elif kind == "Response":
            answer = value["response"]
            entry |= {"status": answer["Ok"]["status"]} if "Ok" in answer else {"error": True}
        elif kind == "Data" and value["direction"] == "Response":
            entry["body"] += value["data"].get("Utf8", "")
    return list(by_connection.values())


def credential_case(folder):
    """Variables, files, traffic and the expected outcome of one lookup."""

    def read(name):
        return json.loads((folder / name).read_text(encoding="utf-8"))

    files = folder / "fs"
    return {
        "name": folder.name,
        "group": folder.parent.name,
        "variables": read("env.json"),
        "files": {
            f"/{file.relative_to(files)}": file.read_text(encoding="utf-8") for file in sorted(files.rglob("*")) if file.is_file()
        },
        "exchanges": exchanges(read("http-traffic.json")),
        "result": read("test-case.json")["result"],
    }
