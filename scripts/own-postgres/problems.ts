import { MigrationLockedError } from '#db/migrate.ts'
import { CommandError } from '../command-error.ts'

/** The facts that are queried from a server before anything is done with it. */
export interface ServerFacts {
  /** As `server_version_num`: 150004. */
  version: number
  isReadOnly: boolean
  isStandby: boolean
  role: string
  database: string
  isSuperuser: boolean
  mayCreateRoles: boolean
  /** May create schemas in the database and tables in `public`. */
  mayCreate: boolean
  hasPostgis: boolean
  /** The files of PostGIS are installed on the server. */
  isPostgisInstalled: boolean
  hasTrigrams: boolean
  areTrigramsInstalled: boolean
  /** `commonplace_app`, which all databases of a server share. */
  hasAppRole: boolean
  /**
   * The product's tables exist and belong to this role (or one it is a member of); null: there are no tables
   * yet.
   */
  isOwner: boolean | null
}

/** Selects one row of `ServerFacts`. Must also run on Postgres 10. */
export const lookStatement = `
  select current_setting('server_version_num')::int as version,
    current_setting('transaction_read_only') = 'on' as "isReadOnly",
    pg_is_in_recovery() as "isStandby",
    current_user::text as role, current_database()::text as database,
    rolsuper as "isSuperuser", rolsuper or rolcreaterole as "mayCreateRoles",
    has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as "mayCreate",
    exists (select from pg_extension where extname = 'postgis') as "hasPostgis",
    exists (select from pg_available_extensions where name = 'postgis') as "isPostgisInstalled",
    exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
    exists (select from pg_available_extensions where name = 'pg_trgm') as "areTrigramsInstalled",
    exists (select from pg_roles where rolname = 'commonplace_app') as "hasAppRole",
    (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.place')) as "isOwner"
  from pg_roles where rolname = current_user`

/**
 * Returns one sentence about what prevents using a database as its owner, with the way out; null when nothing
 * does.
 */
export function findObstacle(look: ServerFacts): string | null {
  const { role, database } = look
  const major = Math.floor(look.version / 10_000)
  if (major < 15)
    return `This server is Postgres ${major}, and Commonplace needs 15 or newer: upgrade it, or name another server in DATABASE_URL.`
  if (look.isStandby)
    return 'This server is a standby, which cannot be written to: name the primary server in DATABASE_URL.'
  if (look.isReadOnly)
    return `The database "${database}" is read-only: turn that off (alter database ${quoteName(database)} reset default_transaction_read_only; or the setting of the role or the server), then run this again.`
  if (!look.hasPostgis && !look.isPostgisInstalled)
    return `PostGIS is missing on this server: install it there (on Debian and Ubuntu: apt install postgresql-${major}-postgis-3), then run this again.`
  if (!look.hasPostgis && !look.isSuperuser)
    return `PostGIS is not in the database "${database}" yet, and only a superuser can add it: have one run "create extension postgis" in it, then run this again.`
  if (!look.hasTrigrams && !look.areTrigramsInstalled)
    return `The extension pg_trgm is missing on this server: install Postgres's own extensions there (on older Debian and Ubuntu: apt install postgresql-contrib), then run this again.`
  if (look.isOwner === false)
    return `The tables in "${database}" belong to another role than "${role}": name their owner in DATABASE_URL.`
  if (!look.mayCreate)
    return `The role "${role}" may not make tables in "${database}": have its owner or a superuser run "alter database ${quoteName(database)} owner to ${quoteName(role)}", then run this again.`
  if (!look.mayCreateRoles)
    return `The role "${role}" may not make the role that the product runs as: have a superuser run "alter role ${quoteName(role)} createrole", then run this again.`
  return null
}

const quoteName = (name: string) =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/**
 * Explains in one sentence why the database of an address could not be reached or used, with the way out.
 * `setting` names the setting with the address. Returns unknown errors unchanged.
 */
export function explain(error: unknown, url: URL, setting = 'DATABASE_URL'): unknown {
  if (error instanceof CommandError) return error
  if (error instanceof MigrationLockedError) return new CommandError(error.message)
  const { code = '', message = '' } = innermost(error)
  const server = `${url.hostname}:${url.port || 5432}`
  const [role, database] = [url.username, url.pathname.slice(1)].map(decodeURIComponent)
  const createError = (sentence: string) => new CommandError(sentence)
  if (code === '28P01' || /client password must be a string|no password supplied/i.test(message))
    return createError(
      `The server at ${server} refuses the password of "${role}": correct it in ${setting} (characters like @ : / ? # are written as %40 %3A %2F %3F %23).`,
    )
  if (/no pg_hba\.conf entry/.test(message))
    return createError(
      /no encryption/.test(message)
        ? `The server at ${server} lets "${role}" in only by TLS: add ?sslmode=require to ${setting}.`
        : `The server at ${server} does not let "${role}" into "${database}" from this machine: add a line for it to its pg_hba.conf and reload it.`,
    )
  if (/does not support SSL/.test(message))
    return createError(
      `The server at ${server} speaks no TLS: take sslmode out of ${setting}, or turn TLS on there (ssl = on).`,
    )
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
    return createError(
      `The certificate of the server at ${server} is not trusted (${message}): name who signed it (sslmode=verify-full&sslrootcert=/path/to/ca.pem), or encrypt without checking it (sslmode=require).`,
    )
  if (code === '28000') return createError(`The server at ${server} does not let "${role}" in: ${message}.`)
  if (code === '3D000')
    return createError(
      `There is no database "${database}" at ${server}: make it (createdb ${database}), or correct ${setting}.`,
    )
  if (code === '53300')
    return createError(
      `The server at ${server} has no connection left: end some, or raise its max_connections, then run this again.`,
    )
  if (code === '25006')
    return createError(
      `The database "${database}" is read-only: turn that off, or name the primary server in ${setting}.`,
    )
  if (
    [
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ETIMEDOUT',
      'ECONNRESET',
      'EPIPE',
    ].includes(code) ||
    /^57P0|^08/.test(code) ||
    /timeout|terminated/i.test(message)
  )
    return createError(
      `No Postgres answers at ${server} (${code || message}): start it, or correct ${setting}.`,
    )
  if (code === '42501')
    return createError(
      `The role "${role}" lacks a right in "${database}" (${message}): have a superuser give it, then run this again.`,
    )
  return error
}

/** A host with several addresses gives one error per address. */
function innermost(error: unknown): { code?: string; message?: string } {
  return error instanceof AggregateError && error.errors.length > 0
    ? innermost(error.errors[0])
    : (error ?? {})
}
