import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunked, readAll, utf16, utf8 } from './reading.testing.ts'

const quoted = (cell: string) =>
  /[",\r\n#]/.test(cell) || cell === '' ? `"${cell.replaceAll('"', '""')}"` : cell

const cellText = fc.oneof(
  fc.constantFrom(
    '',
    '0012',
    '1,234.50',
    'a "quoted" word',
    'line\nbreak',
    'cr\r\nlf',
    '  blanks ',
    'é',
    '日本',
    '🌍🌍',
    '-',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\0\ufffd\r]|\p{Surrogate}/u.test(text)),
)

const table = fc.record({
  rows: fc.array(fc.array(cellText, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 30 }),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  chunk: fc.integer({ min: 1, max: 40 }),
  block: fc.integer({ min: 1, max: 40 }),
  batch: fc.integer({ min: 1, max: 7 }),
  kind: fc.constantFrom('utf-8', 'bom', 'utf-16le', 'utf-16be'),
})

function encodeTable({
  rows,
  newline,
  kind,
}: {
  rows: string[][]
  newline: string
  kind: string
}): Uint8Array {
  const text = [['id', 'name', 'é'], ...rows].map((row) => row.map(quoted).join(',')).join(newline)
  if (kind === 'utf-16le' || kind === 'utf-16be') return utf16(`\ufeff${text}`, kind === 'utf-16be')
  return utf8(kind === 'bom' ? `\ufeff${text}` : text)
}

test('round-trips tables with every chunk size and encoding', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (input) => {
      const { chunk, block, batch, rows } = input
      const read = await readAll(
        'csv',
        chunked(encodeTable(input), chunk),
        {},
        { batchRows: batch, caps: { block } },
      )
      expect(read.refusal).toBeNull()
      expect(read.rejects).toEqual([])
      expect(read.values).toEqual(rows.map(([id, name, e]) => ({ id, name, é: e })))
      expect(read.rows.map(({ at }) => at.row)).toEqual(rows.map((_, i) => i + 1))
    }),
    { numRuns: 300 },
  )
})

test('resumes from each cursor with the same remaining rows', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.array(fc.nat(29), { maxLength: 4 }), async (input, brokenIndexes) => {
      const rows = input.rows.map((row, i) => (brokenIndexes.includes(i) ? row.slice(0, 2) : row))
      const bytes = encodeTable({ ...input, rows })
      const settings = { batchRows: input.batch, caps: { block: input.block } }
      const whole = await readAll('csv', bytes, {}, settings)
      for (const [i, { cursor }] of whole.batches.entries()) {
        const storedCursor = JSON.parse(JSON.stringify(cursor)) as typeof cursor
        const rest = await readAll(
          'csv',
          chunked(bytes.slice(storedCursor.byte ?? 0), input.chunk),
          {},
          { ...settings, from: storedCursor },
        )
        const later = whole.batches.slice(i + 1)
        expect(rest.rows).toEqual(later.flatMap((batch) => batch.rows))
        expect(rest.rejects).toEqual(later.flatMap((batch) => batch.rejects))
      }
    }),
    { numRuns: 150 },
  )
})

test('a cursor after invalid bytes has the correct byte offset', async () => {
  const bytes = Uint8Array.from([...utf8('a,b\né,1\n'), 0xe9, ...utf8(',2\nü,3\nö,4\n')])
  const whole = await readAll('csv', bytes, {}, { batchRows: 1 })
  expect(whole.rejects).toMatchObject([{ at: { row: 2, line: 3 }, field: 'a' }])
  const [, second] = whole.batches
  const rest = await readAll('csv', bytes.slice(second?.cursor.byte ?? 0), {}, { from: second?.cursor })
  expect(rest.values).toEqual([
    { a: 'ü', b: '3' },
    { a: 'ö', b: '4' },
  ])
  expect(rest.rows[0]?.at).toEqual({ row: 3, line: 4 })
})

test('a cursor in an encoding without known character widths reads from the start and skips rows', async () => {
  // Shift_JIS: 日本 is 93 FA 96 7B, 語 is 8C EA.
  const line = (n: number) => [0x93, 0xfa, 0x96, 0x7b, 0x2c, 0x8c, 0xea, 0x30 + n, 0x0a]
  const bytes = Uint8Array.from([...line(0), ...line(1), ...line(2), ...line(3)])
  const settings = { contentType: 'text/csv; charset=shift_jis', batchRows: 1 }
  const whole = await readAll('csv', bytes, {}, settings)
  expect(whole.values).toHaveLength(3)
  expect(whole.batches[0]?.cursor).toEqual({ rows: 1, byte: null })
  const rest = await readAll('csv', bytes, {}, { ...settings, from: whole.batches[0]?.cursor })
  expect(rest.rows).toEqual(whole.rows.slice(1))
})

test('an unclosed quote rejects its line, not the rest of the file', async () => {
  const good = Array.from(
    { length: 40_000 },
    (_, i) => `${i},plain text that is long enough to fill a megabyte`,
  )
  const lines = ['id,text', '1,"open', ...good]
  const read = await readAll('csv', lines.join('\n'))
  expect(read.rejects).toMatchObject([{ at: { row: 1, line: 2 }, field: 'text' }])
  expect(read.rejects[0]?.message).toContain('not closed within 1 MB')
  expect(read.rows).toHaveLength(40_000)
})

test('a line of many megabytes is one reject, and is not kept in memory', async () => {
  async function* source() {
    yield utf8('id,text\n1,a\n2,')
    for (let i = 0; i < 64; i++) yield new Uint8Array(256 * 1024).fill(120)
    yield utf8('\n3,b\n')
  }
  const read = await readAll('csv', source())
  expect(read.values).toEqual([
    { id: '1', text: 'a' },
    { id: '3', text: 'b' },
  ])
  expect(read.rejects).toMatchObject([{ at: { row: 2, line: 3 }, field: null }])
})

test('emits the rows before an error of the source', async () => {
  async function* source() {
    yield utf8('id,text\n1,a\n2,b\n')
    yield* chunked(utf8('3,c\n'.repeat(40_000)))
    throw new Error('connection reset')
  }
  const rows: unknown[] = []
  const { parse } = await import('./index.ts')
  const reading = async () => {
    for await (const batch of parse('csv', source())) rows.push(...batch.rows)
  }
  await expect(reading()).rejects.toThrow('connection reset')
  expect(rows.length).toBeGreaterThan(20_000)
})

test('rejects an invalid cursor state', async () => {
  const from = { rows: 1, byte: 4, state: { header: 'x' } }
  expect((await readAll('csv', 'a,b\n', {}, { from })).refusal).toContain('not one that this parser gave')
})
