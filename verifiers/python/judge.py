"""The judge of compliance: which policy holds, what an asset is at a time, and whether it complies then."""
import operator
import re
import sys
from collections import defaultdict, deque
from fractions import Fraction

from records import accepted, seconds_of
from strict_formats import WRONG, require

COMPARISONS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
               ">=": operator.ge}
CONDITION, ASSERTION = re.compile("!=|=|:"), re.compile("!=|<=|>=|=|<|>")
SIGN = re.compile(r"(?<!\\)(\\*)([=:!<>*])")
NUMBER = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
DAY = re.compile("[0-9]{4}-[0-9]{2}(-[0-9]{2})?")
TIME = re.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.,]([0-9]+))?)?"
                  "(Z|([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?)?")
WORDS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
VERSION = re.compile(rf"[vV]?([0-9]+(?:\.[0-9]+)*)(?:-({WORDS}))?(\+{WORDS})?")
if hasattr(sys, "set_int_max_str_digits"):  # since Python 3.11: exponents may have more digits than it allows
    sys.set_int_max_str_digits(0)

def resolve(text, policy):
    """A text without its escapes, and as long a one with letters in place of the signs that were escaped."""
    if "condition_syntax" not in policy:
        return text, text
    def to_parts(escaped):
        return lambda found: found[1][:len(found[1]) // 2] + ("x" if escaped and len(found[1]) % 2 else found[2])
    return SIGN.sub(to_parts(False), text), SIGN.sub(to_parts(True), text)

def split(text, operators, policy):
    """Name, operator and value of a condition or assertion, and the value's shape; None if it has another form."""
    text, shape = resolve(text[len("attributes."):] if text.startswith("attributes.") else text, policy)
    found = operators.search(shape)
    parts = (text[:found.start()], found[0], text[found.end():], shape[found.end():]) if found else [""]
    return parts if all(parts) else None

def texts_of(path, attributes):
    """The texts within maps and lists that a path leads to: one of its first 8 dots ends the attribute's name."""
    texts = []
    for dot in [found.start() for found in re.finditer("[.]", path)][:8]:
        value, member = attributes.get(path[:dot]), path[dot + 1:]
        items = [value] if isinstance(value, dict) else value[:10_000] if isinstance(value, list) else []
        texts += [item[member] for item in items if member in item]
    return texts

def is_met(condition, attributes, policy):
    parts = split(condition, CONDITION, policy)
    if parts is None:
        return False
    name, compared, value, shape = parts
    found = [attributes[name]] if name in attributes else []
    if policy.get("condition_syntax") == "paths":
        found += texts_of(name, attributes)
    return (any(found) if shape == "*" else value in found) != (compared == "!=")

def is_about(policy, filters, attributes):
    """Whether an asset with these attributes meets one condition of each list of a policy's filters."""
    return all(any(is_met(one, attributes, policy) for one in some["or"]) for some in filters)

def number_of(text):
    """Sign, order of magnitude and digits of a decimal number; None if the text is none."""
    found = NUMBER.fullmatch(text)
    if found is None:
        return None
    sign, whole, fraction, exponent = found.groups()
    digits = (whole + fraction).lstrip("0")
    order = int(exponent or 0) - len(fraction) + len(digits)
    return ((-1 if sign == "-" else 1), order, digits.rstrip("0")) if digits else (0, 0, "")

def compare(left, right):
    return (left > right) - (left < right)

def date_of(text):
    """The month or day as it is written, and of a time its seconds with their fraction and whether it has a zone."""
    found = TIME.fullmatch(text)
    if found is None and DAY.fullmatch(text) is None:
        return None
    day = found[1] if found else text
    try:
        midnight = seconds_of(f"{day}{'-01' if len(day) == 7 else ''}T00:00:00Z")
    except WRONG:
        return None
    if found is None:
        return day, None
    hours, minutes, seconds, zone_hours, zone_minutes = (int(found[at] or 0) for at in (2, 3, 4, 8, 9))
    zone = (3600 * zone_hours + 60 * zone_minutes) * (-1 if found[7] == "-" else 1)
    instant = midnight + 3600 * hours + 60 * minutes + seconds - zone
    return day, (instant, (found[5] or "").rstrip("0"), found[6] is not None)

def version_of(text):
    """What a version is ordered by; None if the text is none."""
    found = VERSION.fullmatch(text)
    if found is None or ("." not in found[1] and (found[2] or found[3])):
        return None
    numbers = [int(number) for number in found[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    if found[2] is None:
        return numbers, 1, []
    return numbers, 0, [(0, int(word), "") if re.fullmatch("[0-9]+", word) else (1, 0, word)
                        for word in found[2].split(".")]

def order_of(value, bound):
    """How a value is to a bound by the bound's kind: a number, a date or time, or a version; None if it is of another."""
    own, limit = number_of(value), number_of(bound)
    if limit is not None:
        return None if own is None else compare(own[0], limit[0]) or own[0] * compare(own[1:], limit[1:])
    own, limit = date_of(value), date_of(bound)
    if limit is not None and limit[1] is None:
        return None if own is None or len(own[0]) < len(limit[0]) else compare(own[0][:len(limit[0])], limit[0])
    if limit is not None:
        is_alike = own is not None and own[1] is not None and own[1][2] == limit[1][2]
        return compare(own[1], limit[1]) if is_alike else None
    own, limit = version_of(value), version_of(bound)
    return None if own is None or limit is None else compare(own, limit)

def holds(assertion, attributes, policy):
    parts = split(assertion, ASSERTION, policy)
    found = attributes.get(parts[0]) if parts else None
    if not isinstance(found, str) or found == "" or ASSERTION.match(parts[3]):
        return False
    _, compared, value, _ = parts
    if policy.get("value_order") == "typed" and compared not in ("=", "!="):
        order = order_of(found, value)
        return order is not None and COMPARISONS[compared](order, 0)
    own, bound = number_of(found), number_of(value)
    if bound is None:
        difference = compare(found, value)
    elif own is None:
        return compared == "!="
    else:
        difference = compare(own[0], bound[0]) or own[0] * compare(own[1:], bound[1:])
    return COMPARISONS[compared](difference, 0)

def pairs_of(events, opening, closing):
    """The times of each opening and, if it is closed, of its closing."""
    pairs, waiting = [], defaultdict(deque)
    for time, kind, correlation in sorted(events, key=lambda event: (event[0], event[1] != opening)):
        if kind == closing and waiting[correlation]:
            waiting[correlation].popleft().append(time)
        elif kind == opening:
            pairs.append([time])
            if correlation:
                waiting[correlation].append(pairs[-1])
    return pairs

def is_usual(durations, variability):
    """Whether no duration is farther from the mean than so many standard deviations."""
    count, total, squares = len(durations), sum(durations), sum(duration ** 2 for duration in durations)
    bound = Fraction(repr(variability)) ** 2 * (count * squares - total ** 2)
    return count < 2 or all((count * duration - total) ** 2 <= bound for duration in durations)

def complies(policy, events, attributes, at):
    """Whether an asset complies at a time; events are of (acceptance in milliseconds, type, id)."""
    kind, opening, closing = (policy[name] for name in (
        "compliance_type", "event_display_type", "closing_event_display_type"))
    limit, window = (1000 * int(policy[name]) for name in ("time_period_seconds", "dynamic_window"))
    if kind == "COMPLIANCE_SINCE":
        times = [time for time, found, _ in events if found == opening]
        return bool(times) and at - max(times) <= limit
    if kind == "COMPLIANCE_RICHNESS":
        return all(any(holds(one, attributes, policy) for one in some["or"]) for some in policy["richness_assertions"])
    if kind == "COMPLIANCE_DYNAMIC_TOLERANCE":
        pairs = pairs_of([event for event in events if at - event[0] <= window], opening, closing)
        return is_usual([pair[1] - pair[0] for pair in pairs if len(pair) == 2], policy["dynamic_variability"])
    pairs = pairs_of(events, opening, closing)
    if kind == "COMPLIANCE_CURRENT_OUTSTANDING":
        return all(len(pair) == 2 for pair in pairs)
    return all([*pair, at][1] - pair[0] <= limit for pair in pairs)

def policy_of(records):
    """The policy that holds after all versions in its stream."""
    holding = None
    for record in records:
        current = holding["identity"] if holding else ""
        if record.get("follows", current) == current:
            holding = record
    require(holding and not holding["is_deleted"], "no policy holds")
    return holding

def is_creation(event):
    return (event["behaviour"], event["operation"]) == ("AssetCreator", "NewAsset")

def events_until(records, at):
    """The events of an asset that count at a time, its creation first."""
    creations = [place for place, record in enumerate(records) if is_creation(record)]
    require(creations and accepted(records[creations[0]]) <= at, "the asset didn't exist")
    later = [record for record in records[creations[0] + 1:] if not is_creation(record)]
    return [records[creations[0]], *(record for record in later if accepted(record) <= at)]

def attributes_of(events):
    """An asset's attributes after these events, with its list of attachments."""
    attributes = {}
    for event in events:
        attributes.update(event["asset_attributes"])
        if (event["behaviour"], event["operation"]) == ("Attachments", "Attach"):
            lists = attributes.get("arc_attachments"), event["event_attributes"].get("arc_append_attachments")
            attributes["arc_attachments"] = [one for found in lists if isinstance(found, list) for one in found]
    return attributes

def type_and_id(event):
    """The type of an event and what correlates it; empty texts if it has none."""
    values = [event["event_attributes"].get(f"arc_{name}") for name in
              ("display_type", "correlation_id", "correlation_value")]
    kind, *ids = (value if isinstance(value, str) else "" for value in values)
    return kind, next(filter(None, ids), "")
