import { sql, type RawBuilder } from 'kysely'
import { Failure } from '#functions/errors.ts'
import type { Row } from '../records/read.ts'
import type { Dataset } from './open.ts'

/** The order of a list that asks for none, and how a page of it goes on after the last. */
export interface Newest {
  orderBy: RawBuilder<unknown>
  /** Rows after the one that `token` names. Failure `invalid` for a token that is none. */
  after(token: string): RawBuilder<boolean>
  /** Names a row, so that the next page starts after it. */
  tokenOf(row: Row): string
}

/** The newest first by the data type's date, those without one at the end; of equals the last written first. */
export function newest({ primaryDate, readings }: Dataset): Newest {
  const date = readings.find(({ key }) => key === primaryDate)
  const column = date ? date.value : sql`null::timestamptz`
  return {
    orderBy: date ? sql`${column} desc nulls last, t.id desc` : sql`t.id desc`,
    after(token) {
      const [instant, id] = read(token)
      if (!date) return sql<boolean>`t.id < ${id}::bigint`
      if (instant === null) return sql<boolean>`(${column} is null and t.id < ${id}::bigint)`
      return sql<boolean>`(${column} < ${instant}::timestamptz or ${column} is null
        or (${column} = ${instant}::timestamptz and t.id < ${id}::bigint))`
    },
    tokenOf(row) {
      const value = date ? row[date.columnName] : null
      return `${value instanceof Date ? value.getTime() : ''}_${row.id}`
    },
  }
}

function read(token: string): [instant: string | null, id: string] {
  const parts = /^(-?\d{1,15})?_(\d{1,18})$/.exec(token)
  if (!parts)
    throw new Failure('invalid', {
      issues: [{ path: ['next'], value: token, message: 'Not a valid token.' }],
    })
  const [, instant, id = ''] = parts
  return [instant === undefined ? null : new Date(Number(instant)).toISOString(), id]
}
