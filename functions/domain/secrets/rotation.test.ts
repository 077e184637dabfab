import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptedSecrets, computeKeyId } from '#functions/platform/auth-secrets.ts'
import type { Settings } from '#functions/context.ts'
import * as importers from '#functions/domain/importer/importers.ts'
import { decryptSecrets } from '#functions/domain/importer/check.ts'
import { claim } from '#functions/domain/importer/job/claim.ts'
import { run } from '#functions/domain/importer/run.ts'
import * as observers from '#functions/domain/observer/observers.ts'
import { decryptSecret } from '#functions/domain/observer/webhook.ts'
import { encrypt, decrypt } from './encrypt.ts'
import { login } from '#functions/domain/identity/accounts.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import * as factors from '#functions/domain/identity/factors.ts'
import { librarySecrets } from '#functions/domain/identity/library-secrets.ts'
import { secondStep } from '#functions/domain/identity/second-step.ts'
import { decryptProviderSecret as secretOfProvider } from '#functions/domain/identity/sso/place-provider.ts'
import { readState } from '#functions/domain/identity/state.ts'
import { expectFailure, settings as identitySettings, visitor } from '#functions/domain/identity/testing.ts'
import { computeCodePair } from '#functions/domain/identity/totp.testing.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import type { Db } from '#db/schema.ts'
import { rotateSecret } from '#scripts/rotate-secret.ts'
import { encryptedColumns } from './columns.ts'
import { findOthers, encryptAgain } from './encrypt-again.ts'
import { reportUnreadableSecrets } from './report-unreadable.ts'

const before: Settings = { ...identitySettings, authSecret: 'the secret of before, thirty-two and more' }
const after: Settings = { ...identitySettings, authSecret: 'the secret that comes in its place, as long' }
const both: Settings = { ...after, previousAuthSecret: before.authSecret }
const third = { authSecret: 'a secret that nobody has set, thirty-two and more' }

let world: TestWorld
let db: Db
beforeAll(async () => {
  world = await openWorld(city)
  db = world.as('system').db
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['place_sso', 'job', 'importer', 'observer', 'two_factor', 'attempt'])
    await sql`delete from ${sql.table(table)}`.execute(db)
})

const password = 'correct horse battery'
const place = 'oakton'
const asPerson = (person: Person, settings: Settings) => world.as(person, { settings })
const sourceParams = { sourceId: 'inner' }

async function importerWith(settings: Settings, word: string): Promise<string> {
  const data = {
    name: word,
    sources: [
      { url: 'https://data.example.com/calls.csv', parser: 'csv' as const, headers: { authorization: word } },
    ],
  }
  const request = { params: { ...sourceParams, importerId: '' }, options: {}, data, placeId: place }
  const importer = await importers.create(asPerson('content_admin', settings), request)
  if (!importer) throw new Error('No importer was made.')
  return importer.id
}

async function secretsOfImporter(settings: Settings, id: string): Promise<string[] | null> {
  const row = await db
    .selectFrom('importer')
    .select(['id', 'secrets'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const secrets = await decryptSecrets(asPerson('system', settings), row)
  return secrets && secrets.map(({ value }) => value)
}

/** A browser with the cookies of another one, of a server with these settings. */
function copyBrowser(browser: ReturnType<typeof visitor>, settings: Settings) {
  const next = visitor(world.database, { settings })
  for (const [name, value] of browser.jar) next.jar.set(name, value)
  return next
}

/** A person with an app, signed in by the code of now. */
async function personWithApp(email: string) {
  await createAccount(db, {
    ...{ email, name: email, password, verified: true, globalRole: null, memberships: [], keyName: 'k' },
  })
  const browser = visitor(world.database, { settings: before })
  await browser.ask((ctx) => login(ctx, { data: { email, password } }))
  const enrolment = await browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
  const { code } = computeCodePair(enrolment.key)
  await browser.ask((ctx) => factors.confirm(ctx, { data: { code } }))
  return { browser, ...enrolment }
}

/** Signs in with an app or a recovery code, on a server with these settings. */
async function signIn(
  settings: Settings,
  email: string,
  step: { code: string } | { recoveryCode: string },
  between = settings,
) {
  const browser = visitor(world.database, { settings })
  await expectFailure(browser.ask((ctx) => login(ctx, { data: { email, password } })))
  const next = copyBrowser(browser, between)
  await next.ask((ctx) => secondStep(ctx, { data: step }))
  return findSignedInEmail(next)
}

const findSignedInEmail = async (browser: ReturnType<typeof visitor>) =>
  (await browser.ask((ctx) => readState(ctx, { data: undefined })).catch(() => null))?.session?.user.email ??
  null

async function rotate(settings: Settings, isCheck: boolean, exceptUnreadable = false) {
  const lines: string[] = []
  const addLine = (line: string) => void lines.push(line)
  const isOver = await rotateSecret([{ name: null, db }], settings, { isCheck, exceptUnreadable }, addLine)
  return { isOver, lines, last: lines.at(-1) }
}

test('a complete rotation: nothing stops working, and the previous secret is kept as long as it is needed', async () => {
  const email = 'rotates@example.org'
  const person = await personWithApp(email)
  const importer = await importerWith(before, 'word-1')
  const old = await importerWith(before, 'word-2')
  await sql`update importer set secrets = regexp_replace(secrets, '^v2\.[0-9a-f]{8}\.', 'v1.') where id = ${old}`.execute(
    db,
  )
  const condition = { operator: 'gt' as const, aggregation: { function: 'count' }, value: 5 }
  const observer = await observers.create(asPerson('content_admin', before), {
    ...{ params: { placeId: place }, options: {}, placeId: place },
    data: { name: 'Noise', dataTypeId: 'call', condition },
  })
  if (!observer) throw new Error('No observer was made.')
  await db
    .insertInto('placeSso')
    .values({
      ...{ placeId: place, name: 'Work', issuer: 'https://login.example.org', clientId: 'c', role: 'viewer' },
      secret: await encrypt(before, { purpose: 'sso', id: place }, 'word-4'),
    })
    .execute()
  // A running import has its plan, and the URL of its next page.
  const request = {
    params: { ...sourceParams, importerId: importer },
    options: {},
    data: undefined,
    placeId: place,
  }
  const job = (await run(asPerson('content_admin', before), request))?.id ?? ''
  expect(await claim(asPerson('system', before))).toMatchObject({ id: job })
  const link = 'https://data.example.com/calls.csv?page=2&token=word-3'
  const encryptedLink = await encrypt(before, { purpose: 'importer', id: job }, link)
  await sql`update job set cursor = ${JSON.stringify({ stage: 'fetch', source: 0, page: 2, link: encryptedLink })}::jsonb
    where id = ${job}`.execute(db)
  const pages = (settings: Settings, next?: string) =>
    importers.find(asPerson('content_admin', settings), {
      ...{ params: sourceParams, placeId: place, data: undefined },
      options: { limit: 1, ...(next !== undefined && { next }) },
    })
  const next = (await pages(before))?.meta.next ?? ''

  const expectSecretsReadable = async (settings: Settings) => {
    const sso = await db.selectFrom('placeSso').select(['placeId', 'secret']).executeTakeFirstOrThrow()
    expect(await secretOfProvider(asPerson('system', settings), sso)).toBe('word-4')
    expect(await secretsOfImporter(settings, importer)).toEqual(['word-1'])
    expect(await secretsOfImporter(settings, old)).toEqual(['word-2'])
    const { secret } = await db
      .selectFrom('observer')
      .select('secret')
      .where('id', '=', observer.id)
      .executeTakeFirstOrThrow()
    expect(await decryptSecret(asPerson('system', settings), observer.id, secret)).toBe(observer.secret)
    const { rows } = await sql<{ plan: { secrets: string }; cursor: { link: string; page: number } }>`
      select plan, cursor from job where id = ${job}`.execute(db)
    const [row] = rows
    expect(row?.cursor.page).toBe(2)
    expect(await decrypt(settings, { purpose: 'importer', id: job }, row?.cursor.link ?? '')).toBe(link)
    const inPlan = { id: importer, secrets: row?.plan.secrets ?? '' }
    expect(await decryptSecrets(asPerson('system', settings), inPlan)).toMatchObject([{ value: 'word-1' }])
  }

  // With both secrets everything works, and new values use the new one.
  await expectSecretsReadable(both)
  expect((await pages(both, next))?.results).toHaveLength(1)
  const later = copyBrowser(person.browser, both)
  expect(await findSignedInEmail(later)).toBe(email)
  expect(later.session()).not.toBe(person.browser.session())
  expect(await findSignedInEmail(copyBrowser(person.browser, after))).toBeNull()
  expect(await findSignedInEmail(copyBrowser(later, after))).toBe(email)
  // Also who had typed the password before, and not yet the code.
  const [first = '', second = '', third = ''] = person.recoveryCodes
  expect(await signIn(before, email, { recoveryCode: first }, both)).toBe(email)
  const early = await rotate(both, true)
  expect(early.isOver).toBe(false)
  expect(early.lines).toEqual([
    'importer.secrets: 2 remain',
    'job.plan.secrets: 1 remain',
    'job.cursor.link: 1 remain',
    'observer.secret: 1 remain',
    'place_sso.secret: 1 remain',
    'two_factor.backup_codes: 1 remain',
    'two_factor.secret: 1 remain',
    'Keep AUTH_SECRET_PREVIOUS: 8 texts still need it. Run "npm run rotate-secret".',
  ])
  // The one before removed too early: sentences, and nothing that runs with an empty secret.
  expect(await secretsOfImporter(after, importer)).toBeNull()
  for (const step of [{ code: computeCodePair(person.key).next }, { recoveryCode: second }])
    expect(await expectFailure(signIn(after, email, step))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/cannot be checked at the moment.*operators have been told/) as string,
    })
  const product = asPerson('system', after)
  await reportUnreadableSecrets(product)
  expect(product.reported).toEqual([
    new Error(
      'Encrypted texts can be decrypted neither with AUTH_SECRET nor with AUTH_SECRET_PREVIOUS (importer.secrets: 2, job.plan.secrets: 1, job.cursor.link: 1, observer.secret: 1, place_sso.secret: 1, two_factor.backup_codes: 1, two_factor.secret: 1). The secret that they are encrypted with may have been removed too early: set it as AUTH_SECRET_PREVIOUS, and run "npm run rotate-secret".',
    ),
  ])
  expect((await rotate(after, true)).last).toBe(
    '8 texts cannot be decrypted with either secret. They may be of a secret that was removed too early: set it as AUTH_SECRET_PREVIOUS.',
  )

  const done = await rotate(both, false)
  expect(done.isOver).toBe(true)
  expect(done.lines).toContain('importer.secrets: 2 encrypted again, 0 remain')
  expect(done.last).toBe('Nothing is left that needs AUTH_SECRET_PREVIOUS: remove it.')
  const storedSecrets = await sql`select secrets from importer order by id`.execute(db)
  expect(await rotate(both, false)).toMatchObject({ isOver: true })
  expect(await sql`select secrets from importer order by id`.execute(db)).toEqual(storedSecrets)

  await expectSecretsReadable(both)
  await expectSecretsReadable(after)
  await sql`delete from attempt`.execute(db)
  expect(await signIn(after, email, { code: computeCodePair(person.key).next })).toBe(email)
  expect(await signIn(after, email, { recoveryCode: second })).toBe(email)
  expect((await expectFailure(signIn(after, email, { recoveryCode: second }))).kind).toBe('invalid')
  expect(await signIn(after, email, { recoveryCode: third })).toBe(email)
  expect(await findEncryptedColumns(after)).toEqual(listEncryptedColumns())
  expect((await rotate(after, true)).isOver).toBe(true)
  const calm = asPerson('system', after)
  await reportUnreadableSecrets(calm)
  expect(calm.reported).toEqual([])
  await expect(pages(after, next)).rejects.toMatchObject({ kind: 'invalid' })
})

/** Every column of the database with a text that is encrypted with a secret, at any depth. */
async function findEncryptedColumns({ authSecret }: Settings): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'json', 'ARRAY')
      and has_table_privilege(format('%I.%I', c.table_schema, c.table_name), 'select')
    order by 1, 2`.execute(db)
  const version = (await librarySecrets({ authSecret })).secrets[0]?.version
  const pattern = `v[0-9]+\\.${await computeKeyId(authSecret)}\\.|\\$ba\\$${version}\\$`
  const columnNames: string[] = []
  for (const { table, column } of rows) {
    const { rows: texts } = await sql`
      select from ${sql.table(table)} where ${sql.ref(column)}::text ~ ${pattern} limit 1`.execute(db)
    if (texts.length > 0) columnNames.push(`${table}.${column}`)
  }
  return columnNames
}

const listEncryptedColumns = () =>
  [...new Set(encryptedColumns.map(({ table, column }) => `${table}.${column}`))].sort()

describe('the list of encrypted columns', () => {
  test('every caller of encrypt is known: a new one needs an entry in columns.ts, then here', () => {
    const root = join(import.meta.dirname, '..', '..', '..')
    const files = ['functions', 'app', 'scripts'].flatMap((room) =>
      (readdirSync(join(root, room), { recursive: true }) as string[]).map((name) => join(room, name)),
    )
    const callers = files
      .filter((name) => /\.tsx?$/.test(name) && !/\.(test|testing)\.tsx?$/.test(name))
      .filter((name) =>
        /(?<!\.)\b(?:encrypt|symmetricEncrypt)\(/.test(readFileSync(join(root, name), 'utf8')),
      )
    expect(callers.sort()).toEqual([
      'functions/domain/identity/library-secrets.ts',
      'functions/domain/identity/recovery-codes.ts',
      'functions/domain/identity/sso/attempt-cookie.ts',
      'functions/domain/identity/sso/settings.ts',
      'functions/domain/importer/check.ts',
      'functions/domain/importer/job/fetch-pages.ts',
      'functions/domain/observer/observers.ts',
      'functions/domain/secrets/columns.ts',
      'functions/domain/secrets/encrypt.ts',
    ])
  })

  test('each is an existing column', async () => {
    for (const { table, column, key = 'id', of = key } of encryptedColumns)
      await sql`select ${sql.ref(column)}, ${sql.ref(key)}, ${sql.ref(of)} from ${sql.table(table)} limit 1`.execute(
        db,
      )
  })
})

/**
 * Inserts a number of importers whose secrets are encrypted with the given settings; `word-{i}` is the
 * secret.
 */
async function plantImporters(amount: number, settingsFor: (i: number) => { authSecret: string }) {
  const [model] = await db
    .selectFrom('importer')
    .selectAll()
    .where('id', '=', await importerWith(before, 'model'))
    .execute()
  await sql`delete from importer`.execute(db)
  const ids = Array.from({ length: amount }, (_, i) => `planted-${String(i).padStart(4, '0')}`)
  const secrets = await Promise.all(
    ids.map((id, i) =>
      encrypt(
        settingsFor(i),
        { purpose: 'importer', id },
        JSON.stringify([
          {
            source: 0,
            path: ['headers', 'authorization'],
            origin: 'https://data.example.com',
            value: `word-${i}`,
          },
        ]),
      ),
    ),
  )
  await sql`
    insert into importer (id, source_id, place_id, name, sources, mapping, secrets)
    select id, 'inner', ${place}, id, ${JSON.stringify(model?.sources)}::jsonb, '{}', secrets
    from unnest(${ids}::text[], ${secrets}::text[]) as given (id, secrets)`.execute(db)
  return ids
}

/** The database with a hook after results of a kind: between reading and writing. */
const withIn = (kind: 'read' | 'written', happens: () => Promise<void>): Db =>
  db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isRead = result.rows.some((row) => 'text' in row && 'key' in row)
      if (kind === 'read' ? isRead : (result.numAffectedRows ?? 0n) > 0n) await happens()
      return result
    },
  })

describe('concurrently with other work', () => {
  test('interrupted and resumed: everything is done, and nothing twice', async () => {
    const ids = await plantImporters(250, () => before)
    let batches = 0
    const cut = withIn('written', async () => {
      if ((batches += 1) === 2) throw new Error('The connection is gone.')
    })
    await expect(encryptAgain(cut, both)).rejects.toThrow('The connection is gone.')
    const [middle] = await findOthers(db, both)
    expect(middle).toMatchObject({ name: 'importer.secrets', remaining: 50, unreadable: [] })
    const [rest] = await encryptAgain(db, both)
    expect(rest).toMatchObject({ encrypted: 50, remaining: 0, unreadable: [] })
    for (const [i, id] of ids.entries()) expect(await secretsOfImporter(after, id)).toEqual([`word-${i}`])
  })

  test('writes of the app meanwhile are not overwritten', async () => {
    const [id = ''] = await plantImporters(3, () => before)
    let isWritten = false
    const busy = withIn('read', async () => {
      if (isWritten) return
      isWritten = true
      const source = { url: 'https://data.example.com/calls.csv', parser: 'csv' as const }
      await importers.updateById(asPerson('content_admin', both), {
        ...{ params: { ...sourceParams, importerId: id }, options: {}, placeId: place },
        data: { version: 1, sources: [{ ...source, headers: { authorization: 'typed meanwhile' } }] },
      })
    })
    const [tally] = await encryptAgain(busy, both)
    expect(tally).toMatchObject({ encrypted: 2, remaining: 0 })
    expect(await secretsOfImporter(after, id)).toEqual(['typed meanwhile'])
  })

  test('writes of an older server meanwhile are counted, and done the next time', async () => {
    const [id = ''] = await plantImporters(3, () => before)
    const text = await encrypt(before, { purpose: 'importer', id }, '[]')
    let isWritten = false
    const busy = withIn('read', async () => {
      if (isWritten) return
      isWritten = true
      await db.updateTable('importer').set({ secrets: text }).where('id', '=', id).execute()
    })
    const [tally] = await encryptAgain(busy, both)
    expect(tally).toMatchObject({ encrypted: 2, remaining: 1 })
    expect((await rotate(both, true)).isOver).toBe(false)
    expect((await rotate(both, false)).isOver).toBe(true)
    expect(await secretsOfImporter(after, id)).toEqual([])
  })

  test('a recovery code used while its list is re-encrypted is not lost: signing in uses it up', async () => {
    const email = 'meanwhile@example.org'
    const { recoveryCodes } = await personWithApp(email)
    const browser = visitor(world.database, { settings: both })
    await expectFailure(browser.ask((ctx) => login(ctx, { data: { email, password } })))
    const data = { recoveryCode: recoveryCodes[0] ?? '' }
    let reads = 0
    const rotateBetweenReads = (through: Db): Db =>
      through.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          const isList = result.rows.some((row) => 'backupCodes' in row || 'backup_codes' in row)
          if (isList && (reads += 1) === 2) await encryptAgain(db, both)
          return result
        },
      })
    const during = browser.ask((ctx) =>
      secondStep(
        { ...ctx, accounts: { ...ctx.accounts, db: rotateBetweenReads(ctx.accounts.db) } },
        { data },
      ),
    )
    expect(await expectFailure(during)).toMatchObject({ kind: 'unauthenticated', reason: 'signInAgain' })
    expect(reads).toBeGreaterThan(1)
    expect(await signIn(both, email, data)).toBe(email)
  })

  test('a text of an unknown secret is counted, named and unchanged', async () => {
    const ids = await plantImporters(120, (i) => (i === 7 || i === 111 ? third : before))
    const lost = [ids[7], ids[111]]
    const texts = () =>
      db
        .selectFrom('importer')
        .select('secrets')
        .where('id', 'in', [ids[7] ?? '', ids[111] ?? ''])
        .execute()
    const was = await texts()
    const done = await rotate(both, false)
    expect(done.isOver).toBe(false)
    expect(done.lines).toContain(
      'importer.secrets: 118 encrypted again, 0 remain, 2 cannot be decrypted with either secret',
    )
    expect(done.lines.join('\n')).toContain(`cannot be decrypted: ${lost.join(', ')};`)
    expect(done.last).toMatch(/^Keep AUTH_SECRET_PREVIOUS: 2 texts cannot be decrypted with either secret\./)
    expect(await texts()).toEqual(was)
    expect((await rotate(both, true)).isOver).toBe(false)
    expect((await rotate(both, true, true)).isOver).toBe(true)
    // The right secret found again: nothing was lost.
    expect((await rotate({ ...after, previousAuthSecret: third.authSecret }, false)).isOver).toBe(true)
    expect(await secretsOfImporter(after, ids[7] ?? '')).toEqual(['word-7'])
  })
})

test('apps and recovery codes from before texts named their secret keep working', async () => {
  const email = 'earlier@example.org'
  const person = await personWithApp(email)
  const { symmetricEncrypt } = await import('better-auth/crypto')
  const { createHmac } = await import('node:crypto')
  const hash = (code: string) =>
    `hmac:${createHmac('sha256', before.authSecret)
      .update(`recovery code ${code.replace('-', '')}`)
      .digest('hex')}`
  // As stored by versions before 2026-11-23: the app's secret is parsed from its otpauth URL.
  const bytes = await symmetricEncrypt({ key: before.authSecret, data: secretIn(person.key) })
  await db
    .updateTable('twoFactor')
    .set({ secret: bytes, backupCodes: JSON.stringify(person.recoveryCodes.map(hash)) })
    .execute()
  const [first = '', second = '', third = ''] = person.recoveryCodes
  expect(await signIn(before, email, { recoveryCode: first })).toBe(email)
  expect(await signIn(both, email, { recoveryCode: second })).toBe(email)
  expect((await rotate(both, true)).isOver).toBe(false)
  expect((await rotate(both, false)).isOver).toBe(true)
  expect(await signIn(after, email, { recoveryCode: third })).toBe(email)
  expect((await expectFailure(signIn(after, email, { recoveryCode: first }))).kind).toBe('invalid')
  expect(await signIn(after, email, { code: computeCodePair(person.key).next })).toBe(email)
  expect(acceptedSecrets(after)).toHaveLength(1)
})

/** The text that a key (base32) is of. */
function secretIn(key: string): string {
  const bits = [...key].map((character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  )
  return String.fromCharCode(...(bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
}
