import { sql, type Kysely, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations/index.ts'
import { freshAsOwner } from './testing.ts'

/** Migrations from this one on can be reverted: a failed deployment is rolled back with its schema. */
const first = '0029'

let owner: Kysely<unknown>
let close: () => Promise<void>
beforeAll(async () => {
  ;({ owner, close } = await freshAsOwner())
})
afterAll(() => close())

/** The schema as lines: columns, indexes, constraints, policies and functions. */
async function describeSchema(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || ' ' || a.attnotnull || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and a.attnum > 0 and not a.attisdropped
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select 'policy ' || tablename || ' ' || policyname || ' ' || cmd || ' ' || coalesce(qual, '')
        || ' ' || coalesce(with_check, '')
      from pg_policies where schemaname = 'public'
    union all select 'row security ' || relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all select 'function ' || p.oid::regprocedure || ' ' || md5(prosrc) from pg_proc p
      where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d
          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by 1`.execute(owner)
  return rows.map(({ line }) => line)
}

test('each migration is reverted and applied again, and the schema is unchanged', async () => {
  const recent = Object.entries(migrations).filter(([name]) => name >= first)
  expect(recent.length).toBeGreaterThan(0)
  const before = await describeSchema()
  const between: string[][] = []
  for (const [, { down }] of recent.reverse()) {
    await down?.(owner)
    between.push(await describeSchema())
  }
  for (const [, { up }] of recent.reverse()) {
    expect(await describeSchema()).toEqual(between.pop())
    await up(owner)
  }
  expect(await describeSchema()).toEqual(before)
})

test('existing keys keep their rights for a year from the migration; reverting grants nothing more', async () => {
  const { up, down } = migrations['0040_key_scope'] ?? {}
  await down?.(owner)
  await sql`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.org')`.execute(owner)
  const add = (id: string, more = sql`null`) =>
    sql`insert into api_key (id, hash, prefix, user_id, scope, revoked_at) values (${id}, ${id}, 'cpk_', 'ada', 'account', ${more})`.execute(
      owner,
    )
  await add('mine')
  await add('revoked', sql`now()`)
  await up?.(owner)
  const rows = async (columns: RawBuilder<unknown>) =>
    (await sql`select ${columns} from api_key order by id`.execute(owner)).rows
  expect(
    await rows(
      sql`id, scope, next_notice as notice, expires_at between now() + interval '364 days' and now() + interval '1 year' as year`,
    ),
  ).toEqual([
    { id: 'mine', scope: 'internals', notice: 'introduced', year: true },
    { id: 'revoked', scope: 'internals', notice: null, year: true },
  ])
  await sql`insert into api_key (id, hash, prefix, user_id, scope) values ('reads', 'r', 'cpk_', 'ada', 'read')`.execute(
    owner,
  )
  await down?.(owner)
  expect(await rows(sql`id, scope, revoked_at is null as works`)).toEqual([
    { id: 'mine', scope: 'account', works: true },
    { id: 'reads', scope: 'account', works: false },
    { id: 'revoked', scope: 'account', works: false },
  ])
  await up?.(owner)
})

test('after reverting, a person with only passkeys signs in by the password again, and one with an app keeps it', async () => {
  const { up, down } = migrations['0060_passkey'] ?? {}
  for (const [id, secret] of [
    ['only-passkeys', null],
    ['app-too', 'sealed'],
    ['app-begun', 'sealed'],
  ]) {
    await sql`insert into "user" (id, name, email, two_factor_enabled) values (${id}, ${id}, ${id}, true)`.execute(
      owner,
    )
    await sql`
      insert into two_factor (id, user_id, secret, backup_codes, verified)
      values (${id}, ${id}, ${secret}, '[]', ${id === 'app-too'})`.execute(owner)
    await sql`
      insert into passkey (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
      values (${id}, ${id}, 'Key', ${id}, 'k', 4294967295, 'singleDevice', false)`.execute(owner)
  }
  await down?.(owner)
  const { rows } = await sql`
    select u.id, u.two_factor_enabled as "isOn", f.id is not null as "hasRow" from "user" u left join two_factor f on f.user_id = u.id
    where u.id in ('only-passkeys', 'app-too', 'app-begun') order by u.id`.execute(owner)
  expect(rows).toEqual([
    { id: 'app-begun', isOn: false, hasRow: true },
    { id: 'app-too', isOn: true, hasRow: true },
    { id: 'only-passkeys', isOn: false, hasRow: false },
  ])
  await up?.(owner)
})

test('tokens of existing emails are removed: pending emails get new ones when sent, and sent links keep working', async () => {
  const { up, down } = migrations['0047_email_tokens'] ?? {}
  await down?.(owner)
  await sql`insert into "user" (id, name, email) values ('bea', 'Bea', 'bea@example.org')`.execute(owner)
  await sql`insert into place (id, name, display_name) values ('oak', 'Oak', 'Oak') on conflict do nothing`.execute(
    owner,
  )
  await sql`
    insert into confirmation (user_id, token_hash, browser_hash, expires_at)
    values ('bea', 'hash-of-bea', 'browser', now() + interval '1 day')`.execute(owner)
  await sql`
    insert into invite (id, place_id, email, role, token_hash, expires_at)
    values ('to-bea', 'oak', 'bea@example.org', 'viewer', 'hash-of-invite', now() + interval '7 days')`.execute(
    owner,
  )
  const site = 'https://app.test'
  const add = (id: string, text: string, more: { sentAt?: string; age?: string; headers?: object } = {}) =>
    sql`
      insert into mail (id, "to", subject, text, html, headers, created_at, sent_at) values (${id}, 'bea@example.org', 'S',
        ${text}, ${text && `<a href="${text}">x</a>`}, ${more.headers ? JSON.stringify(more.headers) : null}::jsonb,
        now() - ${more.age ?? '1 minute'}::interval, ${more.sentAt ?? null}::timestamptz)`.execute(owner)
  const stop = `${site}/places/oak/observers/watch/unsubscribe?token=123.ab-_c.bea`
  await add('confirm', `${site}/confirmation?token=abc-_DEF`)
  await add('reset', `${site}/reset_password?token=abc-_DEF`, { sentAt: '2026-01-01' })
  await add('invite', `${site}/invite/to-bea?token=abc-_DEF`)
  await add('alert', stop, { headers: { 'List-Unsubscribe': `<${stop}>` } })
  await add('plain', `${site}/login`)
  await add('sent', '', { sentAt: '2026-01-01' })
  await add('old', `${site}/invite/to-bea?token=abc-_DEF`, { age: '2 days' })
  await up?.(owner)
  const { rows } = await sql<Record<string, unknown>>`
    select id, kind, subject_id, outcome, attempts, text, html, headers from mail order by id`.execute(owner)
  const by = Object.fromEntries(rows.map(({ id, ...row }) => [String(id), row]))
  const waits = { outcome: null, attempts: 0 }
  expect(by.confirm).toMatchObject({
    ...waits,
    kind: 'confirmation',
    subject_id: 'bea',
    text: `${site}/confirmation?token={token}`,
    html: `<a href="${site}/confirmation?token={token}">x</a>`,
  })
  expect(by.reset).toMatchObject({ outcome: null, attempts: 1, kind: 'reset', subject_id: 'bea' })
  expect(by.invite).toMatchObject({ ...waits, kind: 'invite', subject_id: 'to-bea' })
  const stopped = `${site}/places/oak/observers/watch/unsubscribe?token={token}`
  expect(by.alert).toMatchObject({ ...waits, kind: 'alert', text: stopped })
  expect(JSON.parse(String(by.alert?.subject_id))).toEqual(['oak', 'watch', 'bea'])
  expect(by.alert?.headers).toEqual({ 'List-Unsubscribe': `<${stopped}>` })
  expect(by.plain).toMatchObject({ ...waits, kind: 'notice', subject_id: null, text: `${site}/login` })
  for (const [id, outcome] of [
    ['sent', 'sent'],
    ['old', 'failed'],
  ] as const)
    expect(by[id]).toMatchObject({ outcome, text: '', html: '' })
  const { rows: tokens } = await sql`select token_hash, kind, subject_id from email_token order by 1`.execute(
    owner,
  )
  expect(tokens).toEqual([
    { token_hash: 'hash-of-bea', kind: 'confirmation', subject_id: 'bea' },
    { token_hash: 'hash-of-invite', kind: 'invite', subject_id: 'to-bea' },
  ])
  await down?.(owner)
  // The previous code would send the placeholder of the token, so queued emails with one are removed.
  const { rows: left } = await sql`select id from mail order by id`.execute(owner)
  expect(left).toEqual([{ id: 'old' }, { id: 'plain' }, { id: 'sent' }])
  const { rows: back } = await sql`
    select token_hash from confirmation union all select token_hash from invite`.execute(owner)
  expect(back).toEqual([{ token_hash: 'hash-of-bea' }, { token_hash: 'hash-of-invite' }])
  await up?.(owner)
})
