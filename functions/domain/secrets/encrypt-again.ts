import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { Db } from '#db/schema.ts'
import { formatColumnName, encryptedColumns, type EncryptedColumn } from './columns.ts'

/** The batch size, in values. */
const batch = 100

/** The result for the values of one column that were not encrypted with the current secret. */
export interface Tally {
  /** Such as `importer.secrets`. */
  name: string
  remedy: string
  /** Encrypted again. */
  encrypted: number
  /** Still encrypted with the previous secret, or from before values named their secret. */
  remaining: number
  /** The rows whose value neither secret decrypts. They are left unchanged. */
  unreadable: string[]
}

interface Row {
  key: string
  of: string
  text: string
}

/**
 * Re-encrypts with the current secret what is encrypted with another one, in every column of the list, in batches.
 * Concurrent writes win. May be interrupted and repeated: finished rows are skipped. `progress` is called after every
 * batch. Must run as the system actor, in one database.
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
      count += await replace(db, column, await encryptRows(secrets, column, rows))
      if (rows.length > 0) progress(formatColumnName(column), count)
    })
    // Counted again: older values may have been written meanwhile.
    tallies.push({ ...(await inspectColumn(db, secrets, column)), encrypted: count })
  }
  return tallies
}

/**
 * Counts the values that are not encrypted with the current secret, in every column of the list; changes nothing. Must
 * run as the system actor, in one database.
 */
export async function findOthers(db: Db, secrets: AuthSecrets): Promise<Tally[]> {
  const tallies: Tally[] = []
  for (const column of encryptedColumns) tallies.push(await inspectColumn(db, secrets, column))
  return tallies
}

async function inspectColumn(db: Db, secrets: AuthSecrets, column: EncryptedColumn): Promise<Tally> {
  const unreadable: string[] = []
  let remaining = 0
  await walk(db, secrets, column, async (rows) => {
    const readable = new Set((await encryptRows(secrets, column, rows)).map(({ key }) => key))
    remaining += readable.size
    unreadable.push(...rows.filter(({ key }) => !readable.has(key)).map(({ key }) => key))
  })
  return { name: formatColumnName(column), remedy: column.remedy, encrypted: 0, remaining, unreadable }
}

/** Yields the rows that are not encrypted with the current secret, ordered by name, each once. */
async function walk(
  db: Db,
  secrets: AuthSecrets,
  column: EncryptedColumn,
  processRows: (rows: Row[]) => Promise<void>,
): Promise<void> {
  const { table, key = 'id', of = key, which = sql<SqlBool>`true` } = column
  const [name, text] = [sql.ref(`t.${key}`), textIn(column)]
  const mark = await column.form.mark(secrets.authSecret)
  for (let after = ''; ;) {
    const { rows } = await sql<Row>`
      select ${name} as key, ${sql.ref(`t.${of}`)} as of, ${text} as text from ${sql.table(table)} t
      where ${text} is not null and ${text} != '[]' and strpos(${text}, ${mark}) = 0 and ${which} and ${name} > ${after}
      order by ${name} limit ${batch}`.execute(db)
    await processRows(rows)
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    after = last.key
  }
}

interface Change extends Row {
  newText: string
}

/** The rows whose value can be decrypted, with the value encrypted by the current secret. */
async function encryptRows(secrets: AuthSecrets, { form }: EncryptedColumn, rows: Row[]): Promise<Change[]> {
  const all = rows.map(async (row) => ({
    ...row,
    newText: await form.encryptAgain(secrets, row.of, row.text),
  }))
  return (await Promise.all(all)).flatMap((row) =>
    row.newText === null ? [] : [{ ...row, newText: row.newText }],
  )
}

/** Updates the rows whose value has not changed since it was read. Returns their number. */
async function replace(db: Db, column: EncryptedColumn, changes: Change[]): Promise<number> {
  if (changes.length === 0) return 0
  const { table, key = 'id', below } = column
  const target = sql.id(column.column)
  const value =
    below === undefined
      ? sql`given.new_text`
      : sql`jsonb_set(t.${target}, array[${below}]::text[], to_jsonb(given.new_text))`
  const [keys, texts, newTexts] = [
    changes.map((change) => change.key),
    changes.map(({ text }) => text),
    changes.map((change) => change.newText),
  ]
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} t set ${target} = ${value}
    from unnest(${keys}::text[], ${texts}::text[], ${newTexts}::text[]) as given (key, text, new_text)
    where t.${sql.id(key)} = given.key and ${textIn(column)} = given.text`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The encrypted text of a row, whose table alias is `t`. */
function textIn({ column, below }: EncryptedColumn): RawBuilder<string | null> {
  const whole = sql.ref<string | null>(`t.${column}`)
  return below === undefined ? whole : sql`(${whole} ->> ${below})`
}
