import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect as dial, createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import { asSystem, hasRealPostgres } from '#db/testing.ts'
import { findFreePort } from '../local.ts'
import { getAppRole, storeAddress, readStoredAddress } from './app-role.ts'
import { openServer, prepareServer } from './open.ts'
import { parseAddress, withPool } from './owner.ts'

// Follows the README from an empty database on: only a real server has roles and passwords.
describe.skipIf(!hasRealPostgres)('a Postgres of one’s own', () => {
  const superuser = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://none')
  const name = `own_${process.pid}`
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-own-'))
  const owner = new URL(superuser)
  Object.assign(owner, { username: name, password: 'p@ss:w/rd', pathname: `/${name}` })

  const admin = async (database: string, ...statements: string[]) => {
    const url = new URL(superuser)
    url.pathname = `/${database}`
    await withPool(url, 'TEST_POSTGRES_URL', async (pool) => {
      for (const text of statements) await pool.query(text)
    })
  }
  const serverHasApp = `do $$ begin if not exists (select from pg_roles where rolname = 'commonplace_app')
    then create role commonplace_app nologin; end if; end $$`

  /** A server that trusts this machine accepts any password, and some servers speak TLS themselves. */
  let server = { asksPasswords: false, speaksTls: false }
  beforeAll(async () => {
    const wrong = new URL(superuser)
    wrong.password = 'not this one'
    const { rows } = await withPool(superuser, '', (pool) => pool.query('show ssl'))
    server = {
      asksPasswords: await withPool(wrong, '', (pool) => pool.query('select')).then(
        () => false,
        () => true,
      ),
      speaksTls: (rows[0] as { ssl: string }).ssl === 'on',
    }
    await admin(
      'postgres',
      serverHasApp,
      `create role ${name} login createrole password 'p@ss:w/rd'`,
      // Another database of this server may have created it already.
      `grant commonplace_app to ${name} with admin option`,
      `create database ${name} owner ${name}`,
    )
  })
  afterAll(async () => {
    await admin('postgres', `drop database if exists ${name} with (force)`)
    await admin('postgres', `drop role if exists ${getAppRole(name)}`, `drop role ${name}`)
    rmSync(folder, { recursive: true, force: true })
  })

  const opening = (change: Partial<URL> = {}) => {
    const url = new URL(owner)
    return openServer(Object.assign(url, change).href, folder, undefined)
  }

  test('says what to do when PostGIS is missing and the role may not add it', async () => {
    await expect(opening()).rejects.toThrow(
      /only a superuser can add it: have one run "create extension postgis"/,
    )
    await admin(name, 'create extension postgis')
  })

  test('reports a wrong password in one sentence', async ({ skip }) => {
    if (!server.asksPasswords) skip()
    await expect(opening({ password: 'other' })).rejects.toThrow(/refuses the password of "own_/)
    await expect(opening({ password: '' })).rejects.toThrow(/refuses the password of "own_/)
  })

  test('reports a missing database and an unreachable server in one sentence each', async () => {
    await expect(opening({ pathname: '/own_missing' })).rejects.toThrow(/There is no database "own_missing"/)
    await expect(opening({ port: String(await findFreePort()) })).rejects.toThrow(/No Postgres answers at/)
  })

  test('says what to do for a read-only database, and for an owner without CREATEROLE', async () => {
    await admin('postgres', `alter database ${name} set default_transaction_read_only = on`)
    await expect(opening()).rejects.toThrow(/is read-only: turn that off/)
    await admin('postgres', `alter database ${name} reset default_transaction_read_only`)
    await admin('postgres', `alter role ${name} nocreaterole`)
    await expect(opening()).rejects.toThrow(/"alter role own_\d+ createrole"/)
    await admin('postgres', `alter role ${name} createrole`)
  })

  test('with the owner’s address the product runs as a role of its own, bound by row-level security', async () => {
    const { env, close } = await opening()
    const { db, end } = connect(env, asSystem)
    const { rows } = await sql<{ role: string; sees: number }>`
      select current_user as role, (select count(*)::int from place) as sees`.execute(db)
    expect(rows).toEqual([{ role: getAppRole(name), sees: 0 }])
    await expect(sql`create table mine (id int)`.execute(db)).rejects.toThrow(/permission denied/)
    await end()
    await close()
    const file = join(folder, 'app-databases.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(owner.password)
  })

  test('the next start uses the stored address, and the application’s own address works too', async () => {
    const before = readStoredAddress(folder, owner)
    await (await opening()).close()
    expect(readStoredAddress(folder, owner)?.href).toBe(before?.href)
    const { env, close } = await openServer(
      before?.href ?? '',
      mkdtempSync(join(folder, 'other-')),
      undefined,
    )
    expect(new URL(env.DATABASE_URL).username).toBe(getAppRole(name))
    await close()
  })

  test('continues after a start that was killed between storing the address and creating the role', async () => {
    await admin(name, `drop owned by ${getAppRole(name)}`, `drop role ${getAppRole(name)}`)
    await (await opening()).close()
    // Or between creating the role and granting its rights.
    await admin(name, `revoke commonplace_app from ${getAppRole(name)}`)
    await (await opening()).close()
  })

  test('a migration elsewhere keeps the role’s password, and sets a new one only on request', async () => {
    const prepared = await prepareServer(owner, { folder: null })
    expect(prepared).toEqual({ address: null, isNew: false, role: getAppRole(name) })
    await (await opening()).close()
    const renewed = await prepareServer(owner, { folder: null, newPassword: true })
    expect(renewed.isNew).toBe(true)
    if (server.asksPasswords)
      await expect(opening()).rejects.toThrow(/has another password than the one that is stored here/)
    await expect(openServer(owner.href, mkdtempSync(join(folder, 'empty-')), undefined)).rejects.toThrow(
      /its password is not known here/,
    )
    storeAddress(folder, owner, renewed.address ?? owner)
    await (await opening()).close()
  })

  test('rejects an application’s address that is the owner’s, a superuser’s or of BYPASSRLS', async () => {
    await expect(openServer(owner.href, folder, owner.href)).rejects.toThrow(
      /row-level security would not hold/,
    )
    const above = new URL(superuser)
    above.pathname = `/${name}`
    await expect(openServer(owner.href, folder, above.href)).rejects.toThrow(
      /row-level security would not hold/,
    )
    await admin(name, `alter role ${getAppRole(name)} bypassrls`)
    await expect(opening()).rejects.toThrow(/row-level security would not hold/)
    await admin(name, `alter role ${getAppRole(name)} nobypassrls`)
  })

  test('does not serve from an older schema by the application’s address alone', async () => {
    const app = readStoredAddress(folder, owner)?.href ?? ''
    await admin(
      name,
      `create table kept_migration as table migration`,
      `delete from migration where name like '0006%'`,
    )
    await expect(openServer(app, folder, undefined)).rejects.toThrow(/lacks 1 of this version's changes/)
    await admin(
      name,
      `insert into migration select * from kept_migration where name like '0006%'`,
      `drop table kept_migration`,
    )
    await (await openServer(app, folder, undefined)).close()
  })

  test.each([
    '',
    'mysql://a@b/c',
    'postgres://host/city',
    'postgres://a:b@host',
    'postgres://a@b/c?sslmode=maybe',
  ])('rejects what is not an address (%s)', (text) => {
    expect(() => parseAddress(text)).toThrow(/write it as postgres:\/\/role:password@host:5432\/database/)
  })

  describe('over TLS', () => {
    let front: Server
    let secured: URL
    const certificate = join(folder, 'certificate.pem')
    beforeAll(async () => {
      const key = join(folder, 'key.pem')
      execFileSync(
        'openssl',
        [
          ...['req', '-new', '-x509', '-days', '2', '-nodes', '-subj', '/CN=localhost', '-out', certificate],
          ...['-keyout', key, '-addext', 'subjectAltName=DNS:localhost'],
        ],
        { stdio: 'ignore' },
      )
      const [keyText, certificateText] = [readFileSync(key), readFileSync(certificate)]
      // The test server speaks no TLS: it is terminated here, as Postgres itself would do.
      front = createServer((near) => {
        near.on('error', () => {})
        near.once('data', () => {
          near.write('S')
          const inner = new TLSSocket(near, { isServer: true, key: keyText, cert: certificateText })
          const behind = dial(toServerAddress(superuser))
          for (const socket of [inner, behind])
            socket.on('error', () => {}).on('close', () => (near.destroy(), behind.destroy()))
          inner.pipe(behind).pipe(inner)
        })
      })
      await new Promise<void>((resolve) => front.listen(0, () => resolve()))
      secured = new URL(owner)
      Object.assign(secured, { hostname: 'localhost', port: (front.address() as AddressInfo).port })
      const app = new URL(readStoredAddress(folder, owner) ?? owner)
      Object.assign(app, { hostname: 'localhost', port: secured.port })
      writeFileSync(join(folder, 'app-address'), app.href)
    })
    afterAll(() => front.close())
    const asking = async (mode: string) => {
      const app = new URL(readFileSync(join(folder, 'app-address'), 'utf8'))
      for (const url of [app, secured]) url.search = mode
      const { env, close } = await openServer(secured.href, folder, app.href)
      const { db, transaction, end } = connect(env, asSystem)
      const one = await db.selectFrom('place').select('id').execute()
      const two = await transaction((tx) => tx.selectFrom('place').select('id').execute())
      await end()
      await close()
      return [one, two]
    }

    test('require accepts a self-signed certificate, for statements and transactions', async () => {
      expect(await asking('?sslmode=require')).toEqual([[], []])
    })

    test('verify-full verifies who signed the certificate, and accepts a given authority', async () => {
      await expect(asking('?sslmode=verify-full')).rejects.toThrow(/certificate .* is not trusted/)
      expect(await asking(`?sslmode=verify-full&sslrootcert=${certificate}`)).toEqual([[], []])
    })

    test('reports a server without TLS when TLS is required', async ({ skip }) => {
      if (server.speaksTls) skip()
      const url = new URL(owner)
      url.search = '?sslmode=require'
      await expect(openServer(url.href, folder, undefined)).rejects.toThrow(/speaks no TLS/)
    })
  })
})
