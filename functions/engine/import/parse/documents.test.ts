import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildZip } from './files.testing.ts'
import { listRowLists, listSelectors } from './index.ts'
import { selectorText, parseSelector } from './selector.ts'
import { chunked, readAll, utf8 } from './reading.testing.ts'

test('JSON gives the same rows with every chunk size', async () => {
  const input = fc.record({
    rows: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 12 }),
    block: fc.integer({ min: 1, max: 30 }),
    spaces: fc.constantFrom(undefined, 1, '\t'),
  })
  await fc.assert(
    fc.asyncProperty(input, async ({ rows, block, spaces }) => {
      const text = JSON.stringify({ before: [1, { data: 'é' }], data: rows, after: null }, null, spaces)
      // JSON itself changes -0; lone surrogates and NUL are rejected.
      const expected = JSON.parse(JSON.stringify(rows)) as unknown[]
      fc.pre(!/\\u(0000|d[89a-f])/i.test(text))
      const settings = { caps: { block }, batchRows: 2 }
      const json = await readAll('json', chunked(utf8(text), 3), { selector: 'data.*' }, settings)
      expect(json.refusal).toBeNull()
      expect(json.values).toEqual(expected)
      const lines = rows.map((row) => JSON.stringify(row)).join('\n')
      if (!lines.trim()) return
      const ndjson = await readAll('ndjson', chunked(utf8(lines), 5), {}, settings)
      expect(ndjson.values).toEqual(expected)
      for (const [i, { cursor }] of ndjson.batches.entries()) {
        const rest = await readAll(
          'ndjson',
          utf8(lines).slice(cursor.byte ?? 0),
          {},
          { ...settings, from: cursor },
        )
        expect(rest.values).toEqual(expected.slice((i + 1) * 2))
      }
      const [first] = json.batches
      if (!first || first.rows.length < 2) return
      const rest = await readAll(
        'json',
        utf8(text),
        { selector: 'data.*' },
        { ...settings, from: first.cursor },
      )
      expect(rest.rows).toEqual(json.rows.slice(2))
    }),
    { numRuns: 200 },
  )
})

test('several selectors find rows in the order of the document', async () => {
  const text = '{"a":{"x":{"b":1},"y":{"b":2}},"meta":{"n":3},"list":[[{"b":4}],[{"b":5}]],"k.d":[6]}'
  const read = await readAll('json', text, { selector: ['list.*.*', 'a.*.b', 'k\\.d.*'] })
  expect(read.values).toEqual([1, 2, { b: 4 }, { b: 5 }, 6])
  expect((await readAll('json', text, { selector: '$' })).values).toEqual([JSON.parse(text)])
  expect((await readAll('json', '[[1],[2]]', { selector: ['*', '*.*'] })).values).toEqual([1, [1], 2, [2]])
  expect((await readAll('json', text, { selector: 'a..b' })).refusal).toContain('empty step')
  expect((await readAll('json', text)).refusal).toBe('Missing selector for JSON parser!')
})

test.each([
  ['$.a.b[*]', 'a.b.*'],
  ['$.features[*]', 'features.*'],
  ['$.features[*].properties', 'features.*.properties'],
  ['a.b[]', 'a.b.*'],
  ['.a.b[]', 'a.b.*'],
  ["$['a']['b']", 'a.b'],
  [`$["a"].b[ * ]`, 'a.b.*'],
  ["$.['x.y'][0].z", 'x\\.y.0.z'],
  [String.raw`$['it\'s']`, "it's"],
  ['$[*]', '*'],
  ['$[*][2]', '*.2'],
  ['$', ''],
  ['Speed [km/h].*', String.raw`Speed \[km/h].*`],
  [String.raw`a\[0].b`, String.raw`a\[0].b`],
])('the selector %s means what %s does', (spelling, dotted) => {
  expect(selectorText(parseSelector(spelling))).toBe(dotted)
})

test('rejects a selector that is not a single path, with advice', async () => {
  const refusal = async (selector: string) => (await readAll('json', '[]', { selector })).refusal
  expect(await refusal('$..b')).toMatch(/has an empty step.*every depth/)
  expect(await refusal('$.a[*].')).toMatch(/has an empty step\.$/)
  expect(await refusal('$.a[?(@.n > 1)]')).toMatch(/chooses by values.*"data\.\*"/)
})

test('a selector of a list of objects reads the objects; of another list the whole list', async () => {
  const text = '{"n":{"list":[{"a":1},{"a":[{"b":2}]}],"pair":[1,2]},"none":[]}'
  const values = async (selector: string | string[]) => (await readAll('json', text, { selector })).values
  for (const selector of ['n.list', '$.n.list', '$.n.list[*]', "$['n']['list'][]"])
    expect(await values(selector)).toEqual([{ a: 1 }, { a: [{ b: 2 }] }])
  expect(await values('n.pair')).toEqual([[1, 2]])
  expect(await values(['n.list', 'n.list.*.a'])).toEqual([1, { a: 1 }, { b: 2 }, { a: [{ b: 2 }] }])
  expect((await readAll('json', '[{"a":1},{"a":2}]', { selector: '$' })).values).toEqual([{ a: 1 }, { a: 2 }])
})

test('rejects a selector that finds no list, naming the existing lists; an empty list is reported', async () => {
  const stations = {
    type: 'x',
    meta: { n: 1, note: null },
    features: [{ a: 1 }, { a: 2 }],
    other: [{ b: 1 }],
  }
  const read = (document: unknown, selector: string | string[]) =>
    readAll('json', JSON.stringify(document), { selector }, { caps: { block: 7 } })
  const refusal = async (document: unknown, selector: string | string[]) =>
    (await read(document, selector)).refusal
  const lists = 'The file has lists at “features.*” (2 records), “other.*” (1 record).'
  expect(await refusal(stations, '$.data[*]')).toBe(`There is no list at “$.data[*]”. ${lists}`)
  expect(await refusal(stations, 'meta.rows.*')).toBe(
    `There is no list at “meta.rows.*”: “meta” has n, note. ${lists}`,
  )
  expect(await refusal(stations, 'meta.note.*')).toBe(
    `There is no list at “meta.note.*”: what stands at “meta.note” is none. ${lists}`,
  )
  expect(await refusal(stations, ['rows.*', 'meta.note'])).toBe(
    `There is no list at “rows.*”, “meta.note”. ${lists}`,
  )
  expect(await refusal({ error: 'Bad key', code: 401 }, 'data.*')).toBe(
    'There is no list at “data.*”, and none elsewhere in the file: it has error, code.',
  )
  expect(await refusal({ data: null }, 'data')).toMatch(/what stands at “data” is none, and none elsewhere/)
  expect(await refusal({}, 'data.*')).toMatch(/it has nothing in it\.$/)
  for (const [document, selector] of [
    [{ features: [] }, '$.features[*]'],
    [{ features: [] }, 'features'],
    [{ features: {} }, 'features.*'],
    [{ features: [] }, 'features.*.properties'],
    [[], '*'],
    [[], '$'],
  ] as const) {
    const { refusal: none, values, notices } = await read(document, selector)
    expect([none, values, notices.map(({ message }) => message)]).toEqual([
      ...[null, []],
      [`The list at “${selector}” is empty: there are no rows.`],
    ])
  }
  const long = { features: [{ a: 1 }], note: 'x'.repeat(5_000_000), late: [{ b: 1 }, { b: 2 }] }
  expect((await readAll('json', JSON.stringify(long), { selector: 'rows.*' })).refusal).toBe(
    'There is no list at “rows.*”. The beginning of the file has lists at “features.*” (1 record).',
  )
  const some = await read(stations, ['features.*', 'rows.*'])
  expect([some.values.length, some.refusal]).toEqual([2, null])
  expect(some.notices.map(({ message }) => message)).toEqual(['There is no list at “rows.*”.'])
})

test('does not keep unselected parts of a document in memory', async () => {
  async function* source() {
    yield utf8('{"skip":[')
    for (let i = 0; i < 400; i++) yield utf8(`"${'x'.repeat(100_000)}",`)
    yield utf8('1],"data":[{"a":1}]}')
  }
  expect((await readAll('json', source(), { selector: 'data.*' })).values).toEqual([{ a: 1 }])
})

test('XML gives the same rows with every chunk size, with an & in every context', async () => {
  const text =
    '<?xml version="1.0"?><!-- a & b --><r><i a="1 &amp; 2">x &#38; y<![CDATA[ & <z> ]]></i><i>A & B</i><i>é</i></r>'
  const whole = await readAll('xml', text, { selector: 'r.i' })
  expect(whole.values).toEqual([{ $: { a: '1 & 2' }, _: 'x & y & <z>' }, 'é'])
  expect(whole.rejects).toMatchObject([
    { at: { row: 2 }, message: expect.stringContaining('an & begins no entity') as string },
  ])
  for (let block = 1; block < 20; block++) {
    const read = await readAll('xml', text, { selector: 'r.i' }, { caps: { block } })
    expect([read.rows, read.rejects]).toEqual([whole.rows, whole.rejects])
  }
})

test('names of Object.prototype members have no special meaning in XML', async () => {
  const read = await readAll('xml', '<r><i>&constructor;</i><i __proto__="1"><toString>x</toString></i></r>')
  expect(read.rejects).toHaveLength(1)
  expect(JSON.stringify(read.values)).toBe('[{"$":{"__proto__":"1"},"toString":"x"}]')
})

test('reads the tree of HTML, with HTML entities', async () => {
  const html =
    '<!doctype html><html><body><table><tr><th>n<tr><td class=a>1&nbsp;&eacute;<td>2</table></body></html>'
  const read = await readAll('html', html, { selector: 'html.body.table.tr.*' })
  expect(read.values).toEqual([{ th: 'n' }, { td: [{ $: { class: 'a' }, _: '1\u00a0é' }, '2'] }])
})

test('suggests the longest list of similar objects first, then other lists, then single objects', async () => {
  const best = async (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return (await listRowLists('json', chunked(utf8(text), 7)))?.slice(0, 3)
  }
  const createMany = <T>(count: number, make: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i))
  const json = '{"data":[{"a":{"b":1}},{"a":{"b":2},"c":[{"d":1}]}],"meta":{"n":1},"x":[1]}'
  expect(await listSelectors('json', chunked(utf8(json), 7))).toEqual([
    'data.*',
    'data.*.c.*',
    'data.*.a',
    'meta',
  ])
  expect(await listSelectors('json', chunked(utf8('[{"a":1},{')))).toEqual(['*'])

  // Nested lists have more items in total, but each has fewer than there are rows.
  const stops = createMany(4, (i) => ({ id: i, name: 'n', lines: createMany(3, (j) => ({ line: j })) }))
  expect(await best({ links: [{ href: '/' }], result: { stops } })).toEqual([
    { selector: 'result.stops.*', rows: 4, keys: ['id', 'name', 'lines'] },
    { selector: 'result.stops.*.lines.*', rows: 12, keys: ['line'] },
    { selector: 'links.*', rows: 1, keys: ['href'] },
  ])
  const stations = createMany(2, () => ({ name: 's', readings: createMany(9, (i) => ({ at: i })) }))
  expect((await best({ stations }))?.[0]).toEqual({
    selector: 'stations.*.readings.*',
    rows: 18,
    keys: ['at'],
  })
  // Of equally long lists the outer one is first. A longer list of dissimilar objects is after similar ones.
  expect((await best({ deep: { b: [{ x: 1 }, { x: 2 }] }, a: [{ y: 1 }, { y: 2 }] }))?.[0]?.selector).toBe(
    'a.*',
  )
  const unlike = createMany(9, (i) => ({ [`k${i}`]: i }))
  expect((await best({ unlike, rows: [{ y: 1 }, { y: 2 }] }))?.map(({ selector }) => selector)).toEqual([
    'rows.*',
    'unlike.*',
  ])
  // An object whose keys are ids is treated as a list; one with words as keys is not.
  const byId = Object.fromEntries(createMany(7, (i) => [`id-${i}`, { v: i, more: { z: 1 } }]))
  expect(await best({ meta: { n: 1 }, byId })).toEqual([
    { selector: 'byId.*', rows: 7, keys: ['v', 'more'] },
    { selector: 'byId.*.more', rows: 7, keys: ['z'] },
    { selector: 'meta', rows: 1, keys: ['n'] },
  ])
  expect((await readAll('json', JSON.stringify({ byId }), { selector: 'byId.*' })).values).toHaveLength(7)
  expect(await listRowLists('csv', chunked(utf8('a')))).toBeNull()
})

test('selectors of elements are the paths to objects, deepest first', async () => {
  const xml = '<rss><channel><title>t</title><item><g p="1"/></item><item/></channel></rss>'
  const expectedSelectors = ['rss.channel.item.g', 'rss.channel.item.*', 'rss.channel', 'rss']
  expect(await listSelectors('xml', chunked(utf8(xml)))).toEqual(expectedSelectors)
  expect(await listSelectors('html', chunked(utf8(xml)))).toEqual(expectedSelectors)
  expect((await readAll('xml', xml, { selector: 'rss.channel.item.*' })).values).toEqual([
    { g: { $: { p: '1' } } },
    '',
  ])
  await expect(listSelectors('csv', chunked(utf8('a')))).rejects.toThrow(
    'Invalid parser - does not support selectors',
  )
})

test('files of an archive are one source: row numbers continue, and a cursor resumes in its file', async () => {
  const zip = buildZip({ 'b.csv': 'a\n1\n2\n3\n', 'x.txt': 'no', 'sub/a.CSV': 'a\n4\n5\n' })
  const whole = await readAll('csv', zip, { zip: true }, { batchRows: 2 })
  expect(whole.rows.map(({ at }) => [at.row, at.line, at.entry])).toEqual([
    [1, 2, 'b.csv'],
    [2, 3, 'b.csv'],
    [3, 4, 'b.csv'],
    [4, 2, 'sub/a.CSV'],
    [5, 3, 'sub/a.CSV'],
  ])
  const skipped = 'Files of the archive that are not read: x.txt.'
  expect(whole.notices.filter(({ message }) => message === skipped)).toHaveLength(1)
  for (const [i, { cursor }] of whole.batches.entries()) {
    const rest = await readAll('csv', zip, { zip: true }, { batchRows: 2, from: cursor })
    expect(rest.rows).toEqual(whole.batches.slice(i + 1).flatMap(({ rows }) => rows))
    expect(rest.notices.map(({ message }) => message)).not.toContain(skipped)
  }
  const read: [number, number][] = []
  const ranges = {
    size: zip.length,
    read: async (from: number, to: number) => {
      read.push([from, to])
      return zip.subarray(from, to)
    },
  }
  const nothing = chunked(new Uint8Array(0))
  expect((await readAll('csv', nothing, { zip: true }, { ranges })).rows).toEqual(whole.rows)
  expect(read.length).toBeGreaterThan(2)
})
