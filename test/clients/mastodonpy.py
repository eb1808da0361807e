# A session with Mastodon.py, the library of many bots: https://github.com/halcy/Mastodon.py
#
# It works with version 1.8, which Debian packages, and with version 2. It prints one line per step.
# The code that it asks for comes from standard input.
import base64
import inspect
import os
import queue
import time
from datetime import datetime, timedelta
from importlib.metadata import version

from mastodon import Mastodon, StreamListener

url, user, other = (os.environ["LINNET_" + name] for name in ("URL", "USER", "OTHER"))
scopes = ["read", "write", "follow", "push", "admin:read", "admin:write"]
tag = f"mastodonpy{os.getpid()}"
dot = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4IScHAAK2AQU0pnWqAAAAAElFTkSuQmCC")


def want(condition, what):
    if not condition:
        raise AssertionError(what)
    print("ok  ", what)


def eventually(what, check):
    end = time.monotonic() + 60
    while not (got := check()) and time.monotonic() < end:
        time.sleep(0.05)
    want(got, what)
    return got


# Version 2 refuses to log in without HTTPS, unless it is allowed.
insecure = {"allow_http": True} if "allow_http" in inspect.signature(Mastodon.log_in).parameters else {}
key, secret = Mastodon.create_app("Mastodon.py", scopes=scopes, api_base_url=url)
we = Mastodon(key, secret, api_base_url=url, ratelimit_method="throw")
print("authorize", we.auth_request_url(scopes=scopes, **insecure), flush=True)
we.log_in(code=input().strip(), scopes=scopes, **insecure)
them = Mastodon(access_token=os.environ["LINNET_OTHER_TOKEN"], api_base_url=url, ratelimit_method="throw")
me, friend = we.account_verify_credentials(), we.account_lookup(other)
want(me.username == user and we.verify_minimum_version("4.4.0"), f"log in with version {version('Mastodon.py')} of the library")

changed = we.account_update_credentials(note="by Mastodon.py", avatar=dot, avatar_mime_type="image/png", fields=[("site", "none")])
want(changed.source.note == "by Mastodon.py" and "/media/" in changed.avatar and changed.fields[0].name == "site", "edit the profile")
want(we.account_follow(friend.id).following and we.account_relationships(friend.id)[0].following, "follow")
mine = we.status_post(f"hello @{other} #{tag}", visibility="public", spoiler_text="warned", language="en")
reply = them.status_reply(mine, "indeed")
eventually("reply in the thread", lambda: [s.id for s in we.status_context(mine.id).descendants] == [reply.id])
want(them.status_favourite(mine.id).favourited and them.status_reblog(mine.id).reblog.id == mine.id, "favourite and boost")
types = {"follow", "mention", "favourite", "reblog"}
them.account_follow(me.id)
eventually("notifications", lambda: types <= {n.type for n in we.notifications(limit=20)})
if hasattr(we, "grouped_notifications"):
    group = next(g for g in we.grouped_notifications().notification_groups if g.type == "favourite")
    want(we.grouped_notification_accounts(group.group_key)[0].id == friend.id, "grouped notifications")

text = "é" * 3000
picture = we.media_post(dot, "image/png", description=text, focus=(0.5, 0))
shown = we.status_post("look", media_ids=[picture])
want(shown.media_attachments[0].description == text, "picture with a long description")
asked = we.status_post("when?", poll=we.make_poll(["now", "later"], 600))
them.poll_vote(asked.poll, [1])
want(them.poll(asked.poll).own_votes == [1], "poll")
want(we.status_update(shown.id, "look again").edited_at and len(we.status_history(shown.id)) == 2, "edit")
planned = we.status_post("later", scheduled_at=datetime.now().astimezone() + timedelta(hours=1))
want([s.id for s in we.scheduled_statuses()] == [planned.id] and not we.scheduled_status_delete(planned), "schedule and cancel")

posted = [them.status_post(f"number {i} #{tag}").id for i in range(10)]
eventually("home, page by page", lambda: set(posted) <= {s.id for s in we.fetch_remaining(we.timeline_home(limit=4))})
circle = we.list_create("Friends")
we.list_accounts_add(circle, [friend])
eventually("list", lambda: [s.id for s in we.timeline_list(circle, limit=1)] == posted[-1:])
if hasattr(we, "create_filter_v2"):
    we.create_filter_v2("Puns", ["home"], "warn", keywords_attributes=[{"keyword": "punny", "whole_word": True}])
else:
    we.filter_create("punny", ["home"], expires_in=600)
funny = them.status_post("how PUNNY")
eventually("filter", lambda: [s.id for s in we.timeline_home() if s.filtered] == [funny.id])
eventually("search", lambda: mine.id in [s.id for s in we.search("hello", result_type="statuses").statuses])
them.status_post(f"@{user} psst", visibility="direct")
talk = eventually("conversation", we.conversations)[0]
want(not we.conversations_read(talk).unread, "read a conversation")


class Listener(StreamListener):
    def __init__(self, events):
        self.handle_heartbeat = lambda: events.put("heartbeat")
        self.on_update = lambda status: events.put(str(status.id))
        self.on_delete = lambda id: events.put(f"-{id}")


events = queue.Queue()
we.stream_hashtag(tag, Listener(events), run_async=True)
want(events.get(timeout=60) == "heartbeat", "open the stream")  # the thread connects later
live = them.status_post(f"live #{tag}")
want(events.get(timeout=60) == str(live.id), "status in the stream")
them.status_delete(live.id)
want(events.get(timeout=60) == f"-{live.id}", "deletion in the stream")

them.report(me.id, status_ids=[mine.id], comment="odd", category="spam")
report = we.admin_reports(target_account_id=me.id)[0]
want(we.admin_report_assign(report).assigned_account.username == user, "assign a report")
want(we.admin_report_resolve(report).action_taken, "resolve a report")
we.admin_account_moderate(friend, "silence", text="too loud", send_email_notification=False)
want(we.admin_account(friend).silenced and not we.admin_account_unsilence(friend).silenced, "limit an account and lift the limit")
want(user in [a.username for a in we.admin_accounts_v2(permissions="staff")], "accounts of staff")
want(isinstance(we.admin_trending_tags(), list) and we.admin_measures(datetime.now(), datetime.now(), new_users=True), "trends and figures of staff")
want(tag in we.status_delete(mine.id).text, "delete")
we.revoke_access_token(**insecure)
print("done")
