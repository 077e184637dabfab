import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { rowsChecker } from '#functions/domain/records/prepare.ts'
import { buildColumns } from '#functions/domain/records/columns.ts'
import { checkedRows, type Checker } from './check-batch.ts'
import { atStart } from './cursor.ts'
import type { Run } from './run.ts'
import { mapper } from '#functions/engine/import/map/index.ts'
import { parse } from '#functions/engine/import/parse/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  amount: { name: 'Amount', type: 'number' },
}
const [rows, rowBytes] = [1500, 20_000]

/** Rows of which most is a column that no field is made of; every third is refused for a long amount. */
async function* wide() {
  yield Buffer.from('id,amount,rest\n')
  const rest = 'x'.repeat(rowBytes)
  for (let n = 0; n < rows; n++) {
    const amount = n % 3 ? String(n) : `no number at all, in row ${n}`
    yield Buffer.from(`${crypto.randomUUID()},${amount},${rest}\n`)
  }
}

test('rows that wait to be stored keep no reference to the pages that they were cut from', async () => {
  const mapping = { id: { field: 'id' }, amount: { field: 'amount' } }
  const checker: Checker = {
    // The checks under test use only the schema of the source.
    subject: { schema } as Checker['subject'],
    columns: buildColumns(schema),
    map: await mapper(mapping, schema, { timeZone: 'UTC', columns: {} }),
    check: rowsChecker(schema, true),
    ...{ sought: [], setsVersion: null, findRecordId: (row) => (row.value as { id: string }).id },
  }
  const run = {
    ctx: {},
    work: { batchRows: rows },
    lease: { beat: () => {} },
    cursor: atStart,
  } as unknown as Run
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for await (const checked of checkedRows(run, parse('csv', wide()), checker)) {
    collectGarbage()
    const heapGrowth = process.memoryUsage().heapUsed - before
    expect(checked.rows).toBe(rows)
    expect(checked.rejects).toHaveLength(rows / 3)
    expect(heapGrowth).toBeLessThan((rows * rowBytes) / 3)
  }
})
