import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importFile } from './messy.testing.ts'

/** Workbooks that were published by others, as they are (see NOTICE), brought in under their own names. */
const importWorkbook = (name: string) =>
  importFile({ name, bytes: readFileSync(new URL(`./published/${name}`, import.meta.url)) })

test('a workbook with notes above and below its table, and merged cells in them, has the table as its records', async () => {
  const { error, at, records, schema, notices } = await importWorkbook('deaths.xlsx')
  expect(error).toBeUndefined()
  expect(at).toMatchObject({ parser: 'excel', selector: 'arts', headerRows: '5' })
  expect(records).toHaveLength(10)
  expect(records[0]).toEqual({
    ...{ name: 'David Bowie', profession: 'musician', age: 69, hasKids: true },
    ...{ dateOfBirth: '1947-01-08', dateOfDeath: '2016-01-10' },
  })
  expect(records.map(({ name, dateOfDeath }) => [name, dateOfDeath]).slice(1)).toEqual([
    ['Carrie Fisher', '2016-12-27'],
    ['Chuck Berry', '2017-03-18'],
    ['Bill Paxton', '2017-02-25'],
    ['Prince', '2016-04-21'],
    ['Alan Rickman', '2016-01-14'],
    ['Florence Henderson', '2016-11-24'],
    ['Harper Lee', '2016-02-19'],
    ['Zsa Zsa Gábor', '2016-12-18'],
    ['George Michael', '2016-12-25'],
  ])
  expect(schema).toMatchObject({ dateOfBirth: { type: 'date', precision: 'day' }, age: { type: 'number' } })
  expect(notices.join('\n')).toContain('4 rows of the sheet "arts" are left out, as was chosen')
})

test('a column with a text, a date and a number in turn keeps each of them as text', async () => {
  const { error, records, schema } = await importWorkbook('clippy.xlsx')
  expect(error).toBeUndefined()
  expect(records).toEqual([
    { name: 'Name', value: 'Clippy' },
    { name: 'Species', value: 'paperclip' },
    { name: 'Approx date of death', value: '2007-01-01' },
    { name: 'Weight in grams', value: '0.9' },
  ])
  expect(schema).toMatchObject({ value: { type: 'text' } })
})
