import { expect, test } from 'vitest'
import { buildStorageKey } from '#functions/engine/media/keys.ts'
import { serveMedia } from './serve.ts'
import { storeFile } from '#functions/engine/media/store.ts'
import { avif, bytes, gif, jpeg, png, svg, text, webp, zip } from './testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

const id = '0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'
const script = '<script>alert(document.cookie)</script>'
const open = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">'

/** The outcome of uploading a file: rejected with a reason, or stored and served with these headers. */
async function fate(content: Uint8Array<ArrayBuffer>, name: string, type: string) {
  const files = memoryBucket()
  try {
    await storeFile(files, buildStorageKey(id, 'library'), new File([content], name, { type }))
  } catch (error) {
    expect(await files.list()).toMatchObject({ objects: [] })
    return (error as { issues: { message: string }[] }).issues[0]?.message
  }
  const ports = { files, hubs: memoryBucket(), authSecret: 'secret', now: () => new Date(), fetchImage: null }
  const address = `https://app.test/m/${id}/${encodeURIComponent(name)}`
  const { headers } = (await serveMedia(new Request(address), ports)) as Response
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'(; style-src 'unsafe-inline')?; sandbox$/,
  )
  return { type: headers.get('content-type'), how: headers.get('content-disposition')?.split(';')[0] }
}

const program = 'Programs are not kept here.'
const page = 'Web pages are not kept here.'
const unknown = 'This kind of file is not known here.'
const acting = 'The drawing has scripts or links that act; save it as a plain drawing.'
const unread = 'The picture cannot be read.'

test.each<[why: string, content: Uint8Array<ArrayBuffer>, name: string, type: string, fate: unknown]>([
  ['svg with a script', svg(script), 'a.svg', 'image/svg+xml', acting],
  ['svg with a prefixed script', svg('<x:script>1</x:script>'), 'a.svg', 'image/svg+xml', acting],
  ['svg with a handler', svg('', 'onload="alert(1)"'), 'a.svg', 'image/svg+xml', acting],
  [
    'svg with a handler after a line',
    svg('', 'x="1"\n\tonload = "alert(1)"'),
    'a.svg',
    'image/svg+xml',
    acting,
  ],
  ['svg with a page inside', svg('<foreignObject><b/></foreignObject>'), 'a.svg', 'image/svg+xml', acting],
  ['svg with a script link', svg('<a href="javascript:alert(1)">x</a>'), 'a.svg', 'image/svg+xml', acting],
  [
    'svg with a hidden script link',
    svg('<a href="java&#115;cript&#x3a;alert(1)">x</a>'),
    'a.svg',
    'image/svg+xml',
    acting,
  ],
  [
    'svg with a broken script link',
    svg('<a href="java\n script:alert(1)">x</a>'),
    'a.svg',
    'image/svg+xml',
    acting,
  ],
  ['svg with a page as data', svg('<image href="data:text/html,<b>"/>'), 'a.svg', 'image/svg+xml', acting],
  ['svg that animates a link', svg('<set attributeName="href" to="x"/>'), 'a.svg', 'image/svg+xml', acting],
  [
    'svg with entities',
    text(`<!DOCTYPE svg [<!ENTITY a "b">]>${open}&a;</svg>`),
    'a.svg',
    'image/svg+xml',
    acting,
  ],
  [
    'svg with a style sheet of another site',
    text(`<?xml-stylesheet href="//evil.test"?>${open}</svg>`),
    'a.svg',
    'image/svg+xml',
    acting,
  ],
  ['svg with a script, said to be png', svg(script), 'a.png', 'image/png', acting],
  [
    'svg in an odd encoding',
    text(`<?xml version="1.0" encoding="utf-7"?>${open}+ADw-script+AD4-</svg>`),
    'a.svg',
    'image/svg+xml',
    'The drawing is in an encoding that is not known here.',
  ],
  [
    'svg in utf-16',
    bytes(`\xff\xfe${[...`${open}${script}</svg>`].map((l) => `${l}\0`).join('')}`),
    'a.svg',
    'image/svg+xml',
    acting,
  ],
  ['plain svg', svg(), 'a.svg', 'image/svg+xml', { type: 'image/svg+xml', how: 'attachment' }],
  ['html said to be png', text(`<!doctype html>${script}`), 'a.png', 'image/png', page],
  ['html after white space', text(`\n\t  <HTML>${script}`), 'a.txt', 'text/plain', page],
  ['html after a comment', text(`<!-- -->\n<body>${script}`), 'a.csv', 'text/csv', page],
  ['html after a byte order mark', text(`\uFEFF<script>1</script>`), 'a.json', 'application/json', page],
  [
    'xhtml',
    text('<?xml version="1.0"?><x xmlns="http://www.w3.org/1999/xhtml"/>'),
    'a.xml',
    'text/xml',
    page,
  ],
  [
    'xhtml with a prefix and no declaration',
    text('<h:html xmlns:h="http://www.w3.org/1999/xhtml"/>'),
    'a.txt',
    'text/plain',
    page,
  ],
  [
    'xml with a style sheet',
    text('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><a/>'),
    'a.xml',
    'text/xml',
    page,
  ],
  [
    'xml',
    text('<?xml version="1.0"?><table/>'),
    'a.xml',
    'text/xml',
    { type: 'application/xml', how: 'attachment' },
  ],
  [
    'gif that is also a script',
    text(gif, '/*=1;alert(1)//*/'),
    'a.gif',
    'image/gif',
    { type: 'image/gif', how: 'inline' },
  ],
  [
    'gif that is only a script',
    text('GIF89a/*=1;alert(1)//*/'),
    'a.js',
    'text/javascript',
    { type: 'image/gif', how: 'inline' },
  ],
  [
    'png with a page after it',
    text(png, `<html>${script}`),
    'a.html',
    'text/html',
    { type: 'image/png', how: 'inline' },
  ],
  ['png that is only its first bytes', bytes('\x89PNG\r\n\x1a\n<script>'), 'a.png', 'image/png', unread],
  [
    'jpeg with a page in its comment',
    text(jpeg(4, 3), script),
    'a.jpg',
    'image/jpeg',
    { type: 'image/jpeg', how: 'inline' },
  ],
  [
    'pdf with a script',
    text('%PDF-1.7\n1 0 obj<</S/JavaScript/JS(app.alert(1))>>'),
    'a.pdf',
    'application/pdf',
    { type: 'application/pdf', how: 'attachment' },
  ],
  [
    'pdf said to be html',
    text('%PDF-1.7'),
    'a.html',
    'text/html',
    { type: 'application/pdf', how: 'attachment' },
  ],
  ['windows program', text('MZ\x90\0'), 'a.png', 'image/png', program],
  ['linux program', bytes('\x7fELF\x02\x01'), 'a.csv', 'text/csv', program],
  ['mac program', bytes('\xcf\xfa\xed\xfe\x07'), 'a.bin', 'application/octet-stream', program],
  ['web assembly', bytes('\0asm\x01'), 'a.png', 'image/png', program],
  ['shell script', text('#!/bin/sh\nrm -rf /'), 'a.csv', 'text/csv', program],
  ['java archive', zip('META-INF/MANIFEST.MF', 'A.class'), 'a.zip', 'application/zip', program],
  ['script', text('alert(1)'), 'a.js', 'text/javascript', { type: 'text/plain', how: 'attachment' }],
  [
    'scripts in a table',
    text(`name,notes\nx,"${script}"`),
    'a.csv',
    'text/csv',
    { type: 'text/csv', how: 'attachment' },
  ],
  [
    'xlsx with a link',
    zip('[Content_Types].xml', 'xl/workbook.xml'),
    'a.xlsx',
    'application/zip',
    { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', how: 'attachment' },
  ],
  ['bytes of no kind', bytes('\x01\x02\x03\0\xff'), 'a.png', 'image/png', unknown],
  ['nothing', text(''), 'a.png', 'image/png', 'The file is empty.'],
])('%s', async (_why, content, name, type, expected) => {
  expect(await fate(content, name, type)).toEqual(expected)
})

test.each<[string, Uint8Array<ArrayBuffer>, string, string]>([
  ['png', png, 'image/png', 'image/png'],
  ['gif', gif, 'image/gif', 'image/gif'],
  ['jpeg', jpeg(4, 3), '', 'image/jpeg'],
  ['webp', webp, 'image/png', 'image/webp'],
  ['avif', avif(4, 3), '', 'image/avif'],
  ['mp4', bytes('\0\0\0\x20ftypisom\0\0\x02\0'), 'video/mp4', 'video/mp4'],
  ['webm', bytes('\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x82\x84webm'), 'video/webm', 'video/webm'],
  ['mp3', bytes('\xff\xfb\x90\x64\0\0'), 'audio/mpeg', 'audio/mpeg'],
  ['mp3 with a title', bytes('ID3\x04\0\0'), '', 'audio/mpeg'],
  ['ogg', bytes('OggS\0\x02'), '', 'audio/ogg'],
  ['csv of Windows', text('a,b\r\n1,2'), 'application/vnd.ms-excel', 'text/csv'],
  ['csv in latin-1', bytes('name,caf\xe9\n1,2'), 'text/csv', 'text/csv'],
  ['json', text('{"a":1}'), '', 'application/json'],
  [
    'geojson',
    text('{"type": "FeatureCollection","features":[]}'),
    'application/json',
    'application/geo+json',
  ],
  [
    'kml',
    text('<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"/>'),
    'text/xml',
    'application/vnd.google-earth.kml+xml',
  ],
  [
    'docx',
    zip('[Content_Types].xml', 'word/document.xml'),
    '',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['zip', zip('a.shp', 'xl/x'), '', 'application/zip'],
])('the type of %s is detected by its content', async (name, content, type, expected) => {
  const ending = name.startsWith('csv') ? 'csv' : name
  expect(await fate(content, `a.${ending}`, type)).toMatchObject({ type: expected })
})
