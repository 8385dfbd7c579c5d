import { WINDOW_HOURS } from '../../../domain/accounts/credit-ledger.ts';
import { HOUR } from '../../../domain/primitives/time.ts';
import { createScript } from '../../../platform/redis-connection.ts';

/** Beyond this no time goes. */
export const NEVER = 1e15;

/**
 * Of one account, under one hash tag:
 * - STATE: a hash of what its ledger comes to. `run`: the server's process that it was written to, for another one may
 *   have lost what came last; `terms`: for which it was written; `dueAt`: until when nothing is due; `plan` and `bought`:
 *   credits that are left; `declined` and `url`: invoices; `capped`: sum of CAPS; `held`: sum of HOLDS;
 *   `overdue`: 1 where something has ended by time but is held back: it is due once not all is held
 * - HOLDS: `ID:CREDITS` of calls in flight, by when they lapse
 * - PENDING: `ID:CREDITS` of charges that are in STATE and on their way to the log, by when they lapse
 * - CAPS: `MILLISECONDS:CREDITS` of what counts for a daily cap, one for a second
 * - LOCK: whoever writes STATE anew from the log
 *
 * Whoever does not find STATE as it should be answers `stale`. Leases go by the server's clock; credits do too, but where
 * the caller gives a time.
 */
const SHARED = `
local STATE, HOLDS, PENDING, CAPS, LOCK = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local run = ARGV[1]
local clock = redis.call('TIME')
local real = clock[1] * 1000 + math.floor(clock[2] / 1000)
local at = tonumber(ARGV[2]) or real
local DAY = ${WINDOW_HOURS * HOUR}
local function text(number) return string.format('%.15g', number) end
local function creditsOf(member) return tonumber(string.match(member, ':([^:]*)$')) end
local state
-- A charge that lapsed may stand in the log or not: only the log tells.
local function read()
  if #redis.call('ZRANGEBYSCORE', PENDING, '-inf', text(real), 'LIMIT', 0, 1) > 0 then
    redis.call('ZREMRANGEBYSCORE', PENDING, '-inf', text(real))
    redis.call('HDEL', STATE, 'run')
    return false
  end
  local f = redis.call('HMGET', STATE, 'run', 'terms', 'dueAt', 'plan', 'bought', 'declined', 'url', 'capped', 'held',
    'overdue')
  if f[1] ~= run then return false end
  state = {
    terms = f[2], dueAt = tonumber(f[3]), plan = tonumber(f[4]), bought = tonumber(f[5]),
    declined = tonumber(f[6]), url = f[7], capped = tonumber(f[8]), held = tonumber(f[9]),
    overdue = tonumber(f[10]),
  }
  local lapsed = redis.call('ZRANGEBYSCORE', HOLDS, '-inf', text(real))
  for _, member in ipairs(lapsed) do
    redis.call('ZREM', HOLDS, member)
    state.held = state.held - creditsOf(member)
  end
  local gone = redis.call('ZRANGEBYSCORE', CAPS, '-inf', text(at - DAY))
  for _, member in ipairs(gone) do
    redis.call('ZREM', CAPS, member)
    state.capped = state.capped - creditsOf(member)
  end
  return true
end
local function write()
  redis.call('HSET', STATE, 'plan', text(state.plan), 'bought', text(state.bought), 'capped', text(state.capped),
    'held', text(state.held))
end
local function isDue()
  return at >= state.dueAt or (state.overdue == 1 and state.plan + state.bought > state.held)
end
local function roomOf(cap) return cap and math.max(0, cap - state.capped) or math.huge end
local function spendable(cap) return math.min(state.plan, roomOf(cap)) + state.bought end
local function heldInAll()
  redis.call('ZREMRANGEBYSCORE', HOLDS, '-inf', text(real))
  local held = 0
  for _, member in ipairs(redis.call('ZRANGE', HOLDS, 0, -1)) do held = held + creditsOf(member) end
  return held
end
`;

/**
 * Holds back credits for calls in their order: none overtakes one that waits. ARGV: run, time or '', terms, cap or '',
 * 1 where credits are unlimited, lease, then of each call: id, the most that it can cost.
 */
export const RESERVE = createScript(`${SHARED}
if redis.call('EXISTS', LOCK) == 1 then return {'busy'} end
if not read() or state.terms ~= ARGV[3] or isDue() then return {'stale'} end
local cap, unlimited, lease = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6])
local function fallsTo(most)
  if most < 0 then return '' end
  local sum = state.capped
  if sum <= most then return text(at) end
  for first = 0, math.huge, 1000 do
    local members = redis.call('ZRANGE', CAPS, first, first + 999, 'WITHSCORES')
    if #members == 0 then return text(at) end
    for index = 1, #members, 2 do
      sum = sum - creditsOf(members[index])
      if sum <= most then return text(tonumber(members[index + 1]) + DAY) end
    end
  end
end
local function refusal(most)
  if state.declined >= 2 then return {'payment_failed', state.url} end
  if unlimited then return nil end
  local left = state.plan + state.bought
  if left < most then return {'insufficient_credits', text(left)} end
  if not cap or spendable(cap) >= most then return nil end
  return {'daily_credit_cap_exceeded', fallsTo(cap - (most - state.bought))}
end
local waits = false
local answers = {}
for index = 7, #ARGV, 2 do
  local most = tonumber(ARGV[index + 1])
  local answer = refusal(most)
  if not answer then
    if not waits and (unlimited or spendable(cap) - state.held >= most) then
      answer = {'held'}
      if not unlimited then
        state.held = state.held + most
        redis.call('ZADD', HOLDS, text(real + lease), ARGV[index] .. ':' .. text(most))
      end
    else
      waits = true
      answer = {'waits'}
    end
  end
  answers[#answers + 1] = answer
end
write()
redis.call('PEXPIRE', HOLDS, 3600000)
return {'ok', answers}
`);

/**
 * Takes what a call costs in place of what was held back for it: the plan's first, up to its cap, then bought ones. A
 * hold that has lapsed is held anew where that is possible. ARGV: run, time or '', cap or '', lease, the hold's id, its
 * credits, the cost.
 */
export const SETTLE = createScript(`${SHARED}
if redis.call('EXISTS', LOCK) == 1 then return {'busy'} end
if not read() then return {'stale'} end
local cap, lease, id, most, cost = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
if redis.call('ZREM', HOLDS, id .. ':' .. text(most)) == 1 then
  state.held = state.held - most
elseif cost > 0 and spendable(cap) - state.held < cost then
  write()
  return {'lapsed'}
end
local fromPlan = 0
if cost > 0 then
  fromPlan = math.max(math.min(cost, state.plan, roomOf(cap)), cost - state.bought)
  state.plan = state.plan - fromPlan
  state.bought = state.bought - (cost - fromPlan)
  if cap and fromPlan > 0 then
    state.capped = state.capped + fromPlan
    local second = math.floor(at / 1000) * 1000
    local sum, latest = fromPlan, at
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', CAPS, text(second), text(second + 999))) do
      redis.call('ZREM', CAPS, member)
      sum = sum + creditsOf(member)
      latest = math.max(latest, tonumber(string.match(member, '^[^:]*')))
    end
    redis.call('ZADD', CAPS, text(latest), text(latest) .. ':' .. text(sum))
  end
  redis.call('ZADD', PENDING, text(real + lease), id .. ':' .. text(cost))
  redis.call('PEXPIRE', PENDING, 3600000)
end
write()
redis.call('PEXPIRE', STATE, 2 * DAY)
redis.call('PEXPIRE', CAPS, 2 * DAY)
return {'ok', text(cost - fromPlan), text(state.plan + state.bought), text(at)}
`);

/** ARGV: run, '', the hold's id, its credits. */
export const RELEASE_HOLD = createScript(`${SHARED}
local isKnown = read()
if redis.call('ZREM', HOLDS, ARGV[3] .. ':' .. text(tonumber(ARGV[4]))) == 1 and isKnown then
  state.held = state.held - tonumber(ARGV[4])
end
if isKnown then write() end
`);

/** A charge is in the log. ARGV: run, '', its id, its credits. */
export const CONFIRM_CHARGE = createScript(`${SHARED}
redis.call('ZREM', PENDING, ARGV[3] .. ':' .. text(tonumber(ARGV[4])))
`);

/** The log does not have a charge, or nobody knows. ARGV: run, '', 1 where it is known, its id, its credits. */
export const DISCARD_CHARGE = createScript(`${SHARED}
redis.call('HDEL', STATE, 'run')
if ARGV[3] == '1' then redis.call('ZREM', PENDING, ARGV[4] .. ':' .. text(tonumber(ARGV[5]))) end
`);

/** What has not lapsed lasts for another lease. ARGV: run, '', lease, then of each: 'hold' or 'charge', id, credits. */
export const RENEW_HOLDS = createScript(`${SHARED}
for index = 4, #ARGV, 3 do
  local name = ARGV[index] == 'hold' and HOLDS or PENDING
  redis.call('ZADD', name, 'XX', text(real + tonumber(ARGV[3])), ARGV[index + 1] .. ':' .. text(tonumber(ARGV[index + 2])))
end
`);

/** ARGV: run, time or '', terms. */
export const READ_REMAINING = createScript(`${SHARED}
if redis.call('EXISTS', LOCK) == 1 then return {'busy'} end
if not read() or state.terms ~= ARGV[3] or isDue() then return {'stale'} end
write()
return {'ok', text(state.plan + state.bought)}
`);

/** From here on nobody reserves or settles. ARGV: run, '', who locks, for how long. */
export const ACQUIRE_LOCK = createScript(`${SHARED}
return redis.call('SET', LOCK, ARGV[3], 'NX', 'PX', ARGV[4]) and 1 or 0
`);

/** Charges on their way, credits held back, the time. ARGV: run, time or '', who locks. */
export const READ_UNDER_LOCK = createScript(`${SHARED}
if redis.call('GET', LOCK) ~= ARGV[3] then return {'lost'} end
redis.call('ZREMRANGEBYSCORE', PENDING, '-inf', text(real))
return {'ok', redis.call('ZCARD', PENDING), text(heldInAll()), text(at)}
`);

/**
 * Writes the state, and unlocks. ARGV: run, '', who locks, terms, due at, plan, bought, declined, url, overdue, then of each
 * entry for a cap: milliseconds, credits.
 */
export const INSTALL_STATE = createScript(`${SHARED}
if redis.call('GET', LOCK) ~= ARGV[3] then return 0 end
redis.call('DEL', STATE, CAPS, LOCK)
local capped = 0
for index = 11, #ARGV, 2 do
  capped = capped + tonumber(ARGV[index + 1])
  redis.call('ZADD', CAPS, ARGV[index], ARGV[index] .. ':' .. ARGV[index + 1])
end
redis.call('HSET', STATE, 'run', run, 'terms', ARGV[4], 'dueAt', ARGV[5], 'plan', ARGV[6], 'bought', ARGV[7],
  'declined', ARGV[8], 'url', ARGV[9], 'overdue', ARGV[10], 'capped', text(capped), 'held', text(heldInAll()))
redis.call('PEXPIRE', STATE, 2 * DAY)
redis.call('PEXPIRE', CAPS, 2 * DAY)
return 1
`);

/** ARGV: run, '', who locks. */
export const RELEASE_LOCK = createScript(`${SHARED}
if redis.call('GET', LOCK) == ARGV[3] then redis.call('DEL', LOCK) end
`);

/** For how long the server's process has been known, in milliseconds. KEYS: its mark. */
export const SERVER_PROCESS_AGE = createScript(`
local clock = redis.call('TIME')
local real = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('SET', KEYS[1], string.format('%.15g', real), 'NX', 'PX', 30 * 86400000)
return real - tonumber(redis.call('GET', KEYS[1]))
`);
