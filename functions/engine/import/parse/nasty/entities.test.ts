import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ParserName } from '#functions/shapes/parser/index.ts'
import { readAll, utf16, utf8 } from '../reading.testing.ts'
import { buildXlsx, buildZip } from '../files.testing.ts'

/** What no document may access: it is in no source, only behind an entity. */
const secret = 'root:x:0:0'
/** Entity declarations, by what they refer to. */
const heads: Record<string, string> = {
  'a file': '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  'an address': '<!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1:9/e">]>',
  'a public name': '<!DOCTYPE x [<!ENTITY e PUBLIC "-//x//y" "http://127.0.0.1:9/e">]>',
  'an outer definition': '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/e.dtd">',
  'a parameter': '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]>',
  'a text': `<!DOCTYPE x [<!ENTITY e "${secret}">]>`,
  'a billion laughs': `<!DOCTYPE x [<!ENTITY a "${secret}">${'bcde'.replace(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(100)}">`)}]>`,
  'one long text, many times': `<!DOCTYPE x [<!ENTITY e "${secret.repeat(5000)}">]>`,
}
const writeReferences = (name: string) => (name.includes('many times') ? '&e;'.repeat(50_000) : '&e;')

/** The documents of each parser that reads XML, with the declarations and a text in a row. */
const documents: Partial<Record<ParserName, (head: string, text: string) => string | Uint8Array>> = {
  xml: (head, text) => `${head}<r><i><a>${text}</a></i></r>`,
  kml: (head, text) =>
    `${head}<kml><Placemark><name>${text}</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`,
  kmz: (head, text) => buildZip({ 'a.kml': `${head}<kml><Placemark><name>${text}</name></Placemark></kml>` }),
  gpx: (head, text) =>
    `${head}<gpx><trk><name>${text}</name><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></trkseg></trk></gpx>`,
  html: (head, text) => `${head}<html><body><p>${text}</p></body></html>`,
  excel: (head, text) =>
    buildXlsx(
      { a: [['a'], [{ xml: '<c t="s"><v>0</v></c>' }]] },
      {
        extra: { 'xl/sharedStrings.xml': `${head}<sst><si><t>${text}</t></si></sst>` },
      },
    ),
}

beforeEach(() => void vi.stubGlobal('fetch', () => expect.fail('something was fetched')))
afterEach(() => void vi.unstubAllGlobals())

for (const [name, buildDocument] of Object.entries(documents))
  test.each(Object.entries(heads))(`${name}: %s is neither read nor put in`, async (what, head) => {
    const options = name === 'html' ? { selector: 'html.body' } : {}
    // Loads the parser first, so that its time is not measured.
    await readAll(name as ParserName, buildDocument('', 'a'), options)
    const source = buildDocument(head, writeReferences(what))
    const startMs = performance.now()
    const read = await readAll(name as ParserName, source, options)
    expect(JSON.stringify(read.values)).not.toContain('root:')
    // HTML keeps it as text, as browsers do not know it either; elsewhere it makes its row or document
    // invalid.
    if (name === 'html') expect(read.refusal).toBeNull()
    else expect(`${read.refusal} ${read.rejects[0]?.message}`).toMatch(/entity|damaged|well-formed/)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })

test.each(['utf-16le', 'utf-16be', 'utf-8'])('custom entities are rejected in %s', async (encoding) => {
  const text = `<?xml version="1.0"?>${heads['a text']}<r><i><a>&e;</a></i><i><a>1</a></i></r>`
  const source = encoding === 'utf-8' ? utf8(text) : utf16(text, encoding === 'utf-16be')
  const read = await readAll('xml', source)
  expect(read.values).toEqual([{ a: '1' }])
  expect(read.rejects.map(({ message }) => message).join()).toMatch(/entity/)
})
