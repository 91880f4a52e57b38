"""check_page.py PAGE [steps=N] [variants=N]: the page is well formed, and nothing in it leads outside."""
import base64
import hashlib
import html.parser
import re
import sys

VOID = {"meta", "img", "input", "source", "br", "link"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults, self.ids, self.refers = [], [], set(), []
        self.steps = self.variants = self.pictures = 0
        self.live = False
        self.policies, self.scripts, self.tags = [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append(tag)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policies.append((len(self.tags), given.get("content", "")))
        if len(given) != len(attributes):
            self.faults.append(f"<{tag}> has an attribute twice")
        for name, value in attributes:
            if name in ("src", "srcset", "href", "poster", "data", "action", "formaction"):
                if not re.fullmatch(r"data:image/png;base64,[A-Za-z0-9+/]+={0,2}|#\w+", value or ""):
                    self.faults.append(f"<{tag} {name}> leads to {value[:80]}")
            if name.startswith("on"):
                self.faults.append(f"<{tag}> has {name}")
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"id {value} twice")
                self.ids.add(value)
            if name in ("aria-labelledby", "for"):
                self.refers.append(value)
        if tag in ("iframe", "object", "embed", "link", "base", "form"):
            self.faults.append(f"<{tag}> has no place here")
        if tag == "img":
            self.pictures += 1
            if not given.get("alt"):
                self.faults.append("a picture without a text")
        kinds = (given.get("class") or "").split()
        self.steps += tag == "article" and "step" in kinds
        self.variants += tag == "section" and "variant" in kinds
        self.live = self.live or given.get("aria-live") == "polite"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        if self.open and self.open[-1] == "style" and re.search(r"url\(|@import", data):
            self.faults.append("the style leads outside")
        if self.open and self.open[-1] == "script" and re.search(r"https?:|fetch\(|XMLHttp|import\(", data):
            self.faults.append("the script leads outside")


def policy_faults(page):
    """The policy stands before whatever it is to hold for, and allows the page's own script alone."""
    wanted = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "style-src 'unsafe-inline'", "img-src data:"]
    digest = base64.b64encode(hashlib.sha256("".join(page.scripts).encode()).digest()).decode()
    wanted.append(f"script-src 'sha256-{digest}'")
    if len(page.policies) != 1:
        return [f"{len(page.policies)} security policies"]
    place, policy = page.policies[0]
    faults = [] if page.tags[:place] == ["html", "head", "meta", "meta"] else ["the security policy stands too late"]
    if sorted(policy.split("; ")) != sorted(wanted):
        faults.append(f"the security policy is {policy}")
    return faults


def main():
    path, wanted = sys.argv[1], dict(each.split("=") for each in sys.argv[2:])
    text = open(path, encoding="utf-8").read()
    page = Page()
    page.feed(text)
    page.close()
    faults = page.faults + policy_faults(page) + [f"<{tag}> is not closed" for tag in page.open]
    faults += [f"no id {id}" for id in page.refers if id not in page.ids]
    if not page.live:
        faults.append("nothing tells a screen reader of a step")
    for name, found in (("steps", page.steps), ("variants", page.variants)):
        if name in wanted and found != int(wanted[name]):
            faults.append(f"{found} {name}, not {wanted[name]}")
    if page.steps == 0 or page.pictures < page.steps:
        faults.append(f"{page.pictures} pictures of {page.steps} steps")
    for fault in faults[:20]:
        print(f"FAILED: {path}: {fault}")
    print(f"{path}: {len(text)} bytes, {page.variants} variants, {page.steps} steps, {page.pictures} pictures")
    sys.exit(1 if faults else 0)


main()
