import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { Db } from '#db/schema.ts'
import { nameOf, encryptedColumns, type EncryptedColumn } from './columns.ts'

/** How many texts are in memory at once. */
const batch = 100

/** What became of the texts of one column that were not sealed with the present secret. */
export interface Tally {
  /** Such as `importer.secrets`. */
  name: string
  remedy: string
  /** Sealed anew. */
  sealed: number
  /** Still of the secret before, or from a time when texts did not say of which they are. */
  remaining: number
  /** Names of rows whose text opens with neither secret. They are left as they are. */
  unreadable: string[]
}

interface Row {
  key: string
  of: string
  text: string
}

/**
 * Seals with the present secret what is sealed with another, in every column of the list, some rows at a time. A row that someone
 * writes meanwhile keeps what was written. It may be cut off and begun again at any time: what is done is not done again.
 * `progress` is told after every batch. As the product itself, in one database.
 */
export async function encryptAgain(
  db: Db,
  secrets: AuthSecrets,
  progress: (name: string, count: number) => void = () => {},
): Promise<Tally[]> {
  const tallies: Tally[] = []
  for (const column of encryptedColumns) {
    let count = 0
    await walk(db, secrets, column, async (rows) => {
      count += await replace(db, column, await anew(secrets, column, rows))
      if (rows.length > 0) progress(nameOf(column), count)
    })
    // Looked at once more: meanwhile someone may have written a text of before.
    tallies.push({ ...(await lookAt(db, secrets, column)), sealed: count })
  }
  return tallies
}

/** What is not sealed with the present secret, in every column of the list; changes nothing. As the product itself, in one database. */
export async function findOthers(db: Db, secrets: AuthSecrets): Promise<Tally[]> {
  const tallies: Tally[] = []
  for (const column of encryptedColumns) tallies.push(await lookAt(db, secrets, column))
  return tallies
}

async function lookAt(db: Db, secrets: AuthSecrets, column: EncryptedColumn): Promise<Tally> {
  const unreadable: string[] = []
  let remaining = 0
  await walk(db, secrets, column, async (rows) => {
    const readable = new Set((await anew(secrets, column, rows)).map(({ key }) => key))
    remaining += readable.size
    unreadable.push(...rows.filter(({ key }) => !readable.has(key)).map(({ key }) => key))
  })
  return { name: nameOf(column), remedy: column.remedy, sealed: 0, remaining, unreadable }
}

/** Gives the rows that are not sealed with the present secret, by their names in order, each once. */
async function walk(
  db: Db,
  secrets: AuthSecrets,
  column: EncryptedColumn,
  take: (rows: Row[]) => Promise<void>,
): Promise<void> {
  const { table, key = 'id', of = key, which = sql<SqlBool>`true` } = column
  const [name, text] = [sql.ref(`t.${key}`), textIn(column)]
  const mark = await column.form.mark(secrets.authSecret)
  for (let after = ''; ;) {
    const { rows } = await sql<Row>`
      select ${name} as key, ${sql.ref(`t.${of}`)} as of, ${text} as text from ${sql.table(table)} t
      where ${text} is not null and ${text} != '[]' and strpos(${text}, ${mark}) = 0 and ${which} and ${name} > ${after}
      order by ${name} limit ${batch}`.execute(db)
    await take(rows)
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    after = last.key
  }
}

interface Change extends Row {
  anew: string
}

/** The rows whose text opens, with the text sealed by the present secret. */
async function anew(secrets: AuthSecrets, { form }: EncryptedColumn, rows: Row[]): Promise<Change[]> {
  const all = rows.map(async (row) => ({ ...row, anew: await form.sealAnew(secrets, row.of, row.text) }))
  return (await Promise.all(all)).flatMap((row) => (row.anew === null ? [] : [{ ...row, anew: row.anew }]))
}

/** Writes those whose text is still the one that was read. Gives how many. */
async function replace(db: Db, column: EncryptedColumn, changes: Change[]): Promise<number> {
  if (changes.length === 0) return 0
  const { table, key = 'id', below } = column
  const target = sql.id(column.column)
  const value =
    below === undefined
      ? sql`given.anew`
      : sql`jsonb_set(t.${target}, array[${below}]::text[], to_jsonb(given.anew))`
  const [keys, texts, anews] = [
    changes.map((change) => change.key),
    changes.map(({ text }) => text),
    changes.map((change) => change.anew),
  ]
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t set ${target} = ${value}
    from unnest(${keys}::text[], ${texts}::text[], ${anews}::text[]) as given (key, text, anew)
    where t.${sql.id(key)} = given.key and ${textIn(column)} = given.text`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The sealed text of a row that is called `t`. */
function textIn({ column, below }: EncryptedColumn): RawBuilder<string | null> {
  const whole = sql.ref<string | null>(`t.${column}`)
  return below === undefined ? whole : sql`(${whole} ->> ${below})`
}
