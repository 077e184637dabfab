import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { isAccepted, type AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { Failure } from '#functions/errors.ts'

/** A sort key of a list, the most significant first. The last key is unique. */
export interface Key {
  /** The name of the key in tokens: a token is valid for a list with the same names only. */
  name: string
  value: RawBuilder<unknown>
  type: 'text' | 'boolean' | 'date' | 'day' | 'number' | 'integer'
  direction: 'asc' | 'desc'
  /**
   * Where rows without a value are; by default as in Postgres: last in ascending order, first in descending
   * order.
   */
  nulls?: 'first' | 'last'
}

/** The position of a row in the order: its keys as text. */
export type Position = (string | null)[]

const casts: Record<Key['type'], RawBuilder<unknown>> = {
  text: sql`text`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
  day: sql`date`,
  number: sql`double precision`,
  integer: sql`bigint`,
}

const nullsWhere = { first: sql`nulls first`, last: sql`nulls last` }

const getNullsPosition = ({ direction, nulls }: Key) => nulls ?? (direction === 'asc' ? 'last' : 'first')

/** The ORDER BY expressions. */
export function buildOrderBy(keys: Key[]): RawBuilder<unknown> {
  return sql.join(
    keys.map(({ value, direction, nulls }) => {
      const where = nulls ? nullsWhere[nulls] : sql``
      return sql`${value} ${direction === 'desc' ? sql`desc` : sql`asc`} ${where}`
    }),
  )
}

/**
 * A column with the position of its row. As text a date keeps its microseconds and a number all its digits.
 */
export function buildPositionColumn(keys: Key[]): RawBuilder<Position> {
  return sql<Position>`json_build_array(${sql.join(keys.map(({ value }) => sql`(${value})::text`))})`
}

/**
 * The rows after a position, as conditions that exclude each other, in order. Postgres reads each of them as one range of an index
 * with the same order, which it would not do for a single condition with `or`.
 */
export function buildPositionConditions(keys: Key[], position: Position): RawBuilder<SqlBool>[] {
  const runs = keys.flatMap((key, i) => {
    const same = keys.slice(0, i).map((before, at) => equals(before, position[at] ?? null))
    return beyond(key, position[i] ?? null).map(
      (condition) => sql<SqlBool>`(${sql.join([...same, condition], sql` and `)})`,
    )
  })
  return runs.reverse()
}

function equals({ value, type }: Key, at: string | null): RawBuilder<unknown> {
  return at === null ? sql`${value} is null` : sql`${value} = ${at}::${casts[type]}`
}

/** The rows beyond a value of one key, as conditions in order. */
function beyond(key: Key, at: string | null): RawBuilder<unknown>[] {
  const { value, type, direction } = key
  if (at === null) return getNullsPosition(key) === 'first' ? [sql`${value} is not null`] : []
  const further = sql`${value} ${direction === 'desc' ? sql`<` : sql`>`} ${at}::${casts[type]}`
  return getNullsPosition(key) === 'last' ? [sql`${value} is null`, further] : [further]
}

/** The token of the row that a page ends with, signed with the secret. */
export async function createPageToken(
  { authSecret }: AuthSecrets,
  list: string,
  keys: Key[],
  position: Position,
): Promise<string> {
  const payload = base64(new TextEncoder().encode(JSON.stringify(position)))
  return `${payload}.${await sign(authSecret, list, keys, payload)}`
}

/** The position in a token. Failure `invalid` for one of another list or order, or a forged one. */
export async function positionIn(
  secrets: AuthSecrets,
  list: string,
  keys: Key[],
  token: string,
): Promise<Position> {
  const [payload = '', signature] = token.split('.')
  const isOurs = await isAccepted(
    secrets,
    async (secret) => signature === (await sign(secret, list, keys, payload)),
  )
  if (!isOurs) throw createTokenError(token)
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes)) as Position
}

/** The failure for a token that does not belong to this list. */
export function createTokenError(token: string): Failure {
  const issue = { path: ['next'], value: token, message: 'Not a valid token.' }
  return new Failure('invalid', { issues: [issue] })
}

async function sign(secret: string, list: string, keys: Key[], payload: string): Promise<string> {
  const order = keys.map(({ name, type, direction }) => `${name} ${type} ${direction}`)
  const text = new TextEncoder().encode(JSON.stringify([list, order, payload]))
  const bytes = await crypto.subtle.sign(algorithm, await getSigningKey(secret), text)
  return base64(new Uint8Array(bytes).subarray(0, 12))
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
/** Imported signing keys by secret, at most two: importing one takes longer than signing. */
const keysOfSecrets = new Map<string, CryptoKey>()

async function getSigningKey(secret: string): Promise<CryptoKey> {
  const keyPromise = keysOfSecrets.get(secret)
  if (keyPromise) return keyPromise
  const raw = new TextEncoder().encode(`page ${secret}`)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
  keysOfSecrets.set(secret, key)
  return key
}

function base64(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}
