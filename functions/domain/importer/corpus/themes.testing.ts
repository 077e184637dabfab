import type { StoredRecord } from './case.testing.ts'

/** A row as texts of the columns, and the expected result: a record, or issues by field. */
export interface Row {
  cells: { id: string; name: string; amount: string; day: string; open: string }
  stored?: StoredRecord
  faults?: Record<string, RegExp>
}

export interface Theme {
  is: string
  rows: Row[]
  /** Characters that only some encodings have. */
  isWide?: boolean
  /** Has spaces and line breaks that only some formats preserve. */
  isSpaced?: boolean
}

const plain = { name: 'oak', amount: '1', day: '2024-01-02', open: 'true' }
const right = { name: 'oak', amount: 1, day: '2024-01-02T05:00:00.000Z', open: true }

/** A row with one interesting cell: `value` undefined for none, a RegExp for the expected error. */
function buildRow(id: string, field: 'name' | 'amount' | 'day' | 'open', text: string, value: unknown): Row {
  const cells = { id, ...plain, [field]: text }
  if (value instanceof RegExp) return { cells, faults: { [field]: value } }
  const { [field]: _, ...rest } = right
  return { cells, stored: { id, ...rest, ...(value !== undefined && { [field]: value }) } as StoredRecord }
}
const buildRows = (field: Parameters<typeof buildRow>[1], cells: [text: string, value: unknown][]): Row[] =>
  cells.map(([text, value], i) => buildRow(`${field}-${i}`, field, text, value))

const good = (id: string, more: Partial<Row['cells']> = {}, is: Partial<StoredRecord> = {}): Row => ({
  cells: { id, ...plain, ...more },
  stored: { id, ...right, ...is },
})

const none = undefined

/** Values in real files, by meaning. The place is in the time zone of New York. */
export const themes: Theme[] = [
  {
    is: 'ids that look like numbers, dates and words',
    rows: [
      ...['007', '7', '1e5', '0x1F', '1.0', '1', '+1', '-0', '0', '9007199254740993', '9007199254740992'],
      ...['12345678901234567890', 'TRUE', 'null', 'N/A', '#N/A', 'NaN', '2024-01-02', '1/2', '1,000'],
    ].map((id) => good(id)),
  },
  {
    is: 'numbers that are, in every writing',
    rows: buildRows('amount', [
      ['1,234.50', 1234.5],
      ['-1,234,567.25', -1234567.25],
      ['0.1', 0.1],
      ['-0', 0],
      ['+7', 7],
      ['.5', 0.5],
      ['1e3', 1000],
      ['6.022E23', 6.022e23],
      ['0095', 95],
      ['9007199254740991', 9007199254740991],
      ['47.606209999999997', 47.606209999999997],
      [' 12 ', 12],
      ['1.234', 1.234],
    ]),
  },
  {
    is: 'numbers that are none, and those that would lose digits',
    rows: buildRows('amount', [
      ['1.234,5', /decimal comma/],
      ['12,5', /decimal comma/],
      ['1,23,456', /Not a number/],
      ['9007199254740993', /digits are lost/],
      ['0.12345678901234567890', /More digits/],
      ['1e400', /Too large/],
      ['1e-400', /Too small/],
      ['NaN', /cannot? be kept|that can be kept/],
      ['Infinity', /can be kept/],
      ['12abc', /Not a number/],
      ['0x10', /Not a number/],
      ['1 234', /blanks between thousands/],
      ['$5', /sign \$/],
      ['5%', /sign %/],
      ['1.2.3', /Not a number/],
      ['--5', /Not a number/],
      ['1-2', /Not a number/],
      ['(5)', /Not a number/],
      ['ten', /Not a number/],
      ['TRUE', /Not a number/],
    ]),
  },
  {
    is: 'words that stand for nothing: none of a number, themselves of a text',
    rows: [
      ...buildRows(
        'amount',
        ['N/A', '-', 'null', 'None', '#N/A', '--', 'na', ''].map((text) => [text, none]),
      ),
      ...buildRows(
        'name',
        ['N/A', '-', 'null', 'None', '#N/A', 'NaN', '0'].map((text) => [text, text]),
      ),
      ...buildRows(
        'day',
        ['N/A', '-', ''].map((text) => [text, none]),
      ),
      ...buildRows(
        'open',
        ['n/a', ''].map((text) => [text, none]),
      ),
    ],
  },
  {
    is: 'days and times that are',
    rows: buildRows('day', [
      ['2024-02-29', '2024-02-29T05:00:00.000Z'],
      ['20240229', '2024-02-29T05:00:00.000Z'],
      ['13/02/2024', '2024-02-13T05:00:00.000Z'],
      ['02/13/2024', '2024-02-13T05:00:00.000Z'],
      ['05/05/2024', '2024-05-05T04:00:00.000Z'],
      ['02.03.2024', '2024-03-02T05:00:00.000Z'],
      ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
      ['2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05.000Z'],
      ['2024-07-01 12:00', '2024-07-01T16:00:00.000Z'],
      ['2024-01-02 11:30 PM', '2024-01-03T04:30:00.000Z'],
      ['Jan 5, 2024', '2024-01-05T05:00:00.000Z'],
      ['Tue, 05 Mar 2024 10:00:00 GMT', '2024-03-05T10:00:00.000Z'],
      ['/Date(1704067200000)/', '2024-01-01T00:00:00.000Z'],
      ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ]),
  },
  {
    is: 'days and times that are none, or may be two',
    rows: buildRows('day', [
      ['2024-02-30', /no such day/i],
      ['2023-02-29', /no such day/i],
      ['2024-13-01', /no such day/i],
      ['02/03/2024', /May be 2024-02-03 .* or 2024-03-02/],
      ['2024-03-10 02:30', /skip 2024-03-10 02:30/],
      ['2024-11-03 01:30', /twice/],
      ['24-01-02', /two digits/],
      ['1/2/24', /two digits/],
      ['1704067200', /Not a date|number/i],
      ['1704067200000', /Not a date|number/i],
      ['45351', /Not a date|number/i],
      ['2024', /year alone/],
      ['0000-01-01', /./],
      ['2024-01-02T25:00:00Z', /no such day|Not a date/i],
      ['2024-01-02T03:04:05+25:00', /offset|Not a date/],
      ['Mon, 05 Mar 2024', /That day is a Tuesday/],
      ['yesterday', /Not a date/],
      ['Q1 2024', /Not a date/],
      ['10:30', /Not a date/],
    ]),
  },
  {
    is: 'truths, and words that look like them',
    rows: buildRows('open', [
      ...['true', 'TRUE', 'True', 't', 'yes', 'Y', '1'].map((text): [string, unknown] => [text, true]),
      ...['false', 'FALSE', 'f', 'no', 'N', '0'].map((text): [string, unknown] => [text, false]),
      ...['2', 'ja', 'si', 'on', 'maybe', '1.0', 'truee', 'open', 'x'].map((text): [string, unknown] => [
        text,
        /Neither true nor false/,
      ]),
    ]),
  },
  {
    is: 'texts of all scripts, as they stand',
    isWide: true,
    rows: buildRows(
      'name',
      [
        ...['Café', 'Cafe\u0301', '日本語', 'עברית', 'العربية', '🌳🏽‍♀️', '𝒜', 'ﬁ', 'İstanbul', 'straße'],
        ...['a\u200bb', 'a\u00a0b', '\u202eabc', 'x\u00ad y', 'Ａ', '１２', '\ufeffx', 'a\u0301\u0323'],
      ].map((text) => [text, text]),
    ),
  },
  {
    is: 'texts that are code, markup and formulas',
    rows: buildRows(
      'name',
      [
        ...['=1+1', '@SUM(A1)', '+49 30', '-x', "'; drop table x; --", '<script>alert(1)</script>', '&amp;'],
        ...[
          '{"a":1}',
          '[1,2]',
          '${x}',
          '{{x}}',
          '%00',
          '\\n',
          '\\',
          '$1',
          '__proto__',
          'constructor',
          '../../x',
        ],
      ].map((text) => [text, text]),
    ),
  },
  {
    is: 'texts with blanks and line breaks, as they stand',
    isSpaced: true,
    rows: buildRows(
      'name',
      [' lead', 'trail ', 'two\nlines', 'tab\there', 'a  b'].map((text) => [text, text]),
    ),
  },
  {
    is: 'ids that are missing, too long, and that come again',
    rows: [
      good('a', { name: 'first' }, { name: 'first' }),
      good('b'),
      { cells: { id: '', ...plain }, faults: { id: /./ } },
      { cells: { id: 'x'.repeat(513), ...plain }, faults: { id: /513/ } },
      good('y'.repeat(512)),
      good('a', { name: 'last' }, { name: 'last' }),
    ],
  },
  {
    is: 'more than one fault in a row, and neighbours that are fine',
    rows: [
      good('1'),
      {
        cells: { id: '2', name: 'x', amount: 'ten', day: '2024-02-30', open: 'ja' },
        faults: { amount: /Not a number/, day: /no such day/i, open: /Neither/ },
      },
      good('3'),
      { cells: { id: '4', ...plain, amount: '5 %' }, faults: { amount: /sign %/ } },
      good('5'),
    ],
  },
]
