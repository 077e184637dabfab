import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openWindow, type Browser, type BrowserContext } from './browser.ts'
import { cookiesFor } from './main-routes.ts'
import { findFreePort, openWorker } from '../local.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { bytes, gif, jpeg, png, svg, text, webp, zip } from '#functions/edge/media/testing.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

let world: TestWorld
let worker: Awaited<ReturnType<typeof openWorker>>
let browser: Browser
let foreign: Server
let port: number
const person = { email: 'ada@files.example', password: `files-${crypto.randomUUID()}` }
const app = (path: string) => `http://localhost:${port}${path}`

beforeAll(async () => {
  world = await openWorld(city)
  await createAccount(world.as('system').db, {
    ...{ ...person, name: 'Ada', verified: true, globalRole: null, welcomed: true },
    memberships: [{ placeId: 'oakton', role: 'organization_admin' }],
  })
  port = await findFreePort()
  const host = `localhost:${port}`
  const vars = { APP_HOST: host, PUBLIC_HOST: host, ENVIRONMENT: 'test' }
  worker = await openWorker({ env: world.database.env, port, folder: null, vars })
  browser = await openBrowser()
  // A page of another site that embeds a file in each possible way.
  foreign = createServer((request, response) => {
    const file = new URL(request.url ?? '', 'http://localhost').searchParams.get('file') ?? ''
    const ways = [
      ...[`<script src="${file}"></script>`, `<img src="${file}">`, `<iframe src="${file}"></iframe>`],
      ...[
        `<object data="${file}"></object>`,
        `<embed src="${file}">`,
        `<link rel="stylesheet" href="${file}">`,
      ],
    ]
    response.setHeader('content-type', 'text/html')
    response.end(file ? `<!doctype html><title>Elsewhere</title>${ways.join('')}` : '')
  })
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
}, 180_000)
afterAll(async () => {
  foreign?.close()
  await browser?.close()
  await worker?.close()
  await world?.close()
})

/**
 * Shows that it ran by a dialog, a global variable and a request to another site, whichever is not blocked.
 */
const act = 'alert(1);top.__pwned=1;self.__pwned=1;new Image().src="https://evil.example/"'
const script = `<script>${act}</script>`
const open = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">'
const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${act}</script></body></html>`
const wide = (letters: string) => bytes(`\xff\xfe${[...letters].map((letter) => `${letter}\0`).join('')}`)
const rejected = null

/**
 * Description, bytes, file name and type of an upload, and the type it is served with; null: it is rejected.
 */
type UploadCase = [
  is: string,
  content: Uint8Array<ArrayBuffer>,
  name: string,
  type: string,
  kept: string | null,
]

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const files: UploadCase[] = [
  ['svg with a script', svg(script), 'a.svg', 'image/svg+xml', rejected],
  ['svg with a prefixed script', svg(`<x:script>${act}</x:script>`), 'a.svg', 'image/svg+xml', rejected],
  ['svg with a handler', svg('', `onload='${act}'`), 'a.svg', 'image/svg+xml', rejected],
  [
    'svg with a page inside',
    svg(`<foreignObject>${xhtml}</foreignObject>`),
    'a.svg',
    'image/svg+xml',
    rejected,
  ],
  ['svg with a script link', svg(`<a href='javascript:${act}'>x</a>`), 'a.svg', 'image/svg+xml', rejected],
  ['svg with a page as data', svg('<image href="data:text/html,<b>"/>'), 'a.svg', 'image/svg+xml', rejected],
  [
    'svg with an entity',
    text(`<!DOCTYPE svg [<!ENTITY a "${script.replaceAll('"', "'")}">]>${open}&a;</svg>`),
    'a.svg',
    'image/svg+xml',
    rejected,
  ],
  ['svg in utf-16', wide(`${open}${script}</svg>`), 'a.svg', 'image/svg+xml', rejected],
  ['svg with a script, said to be png', svg(script), 'a.png', 'image/png', rejected],
  ['plain svg said to be html', svg(), 'a.html', 'text/html', 'image/svg+xml'],
  ['html said to be png', text(`<!doctype html>${script}`), 'a.png', 'image/png', rejected],
  ['html said to be a table', text(`<!-- -->\n<body>${script}`), 'a.csv', 'text/csv', rejected],
  ['xhtml', text(`<?xml version="1.0"?>${xhtml}`), 'a.xml', 'text/xml', rejected],
  [
    'xml with a style sheet',
    text('<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="a.xsl"?><a/>'),
    'a.xml',
    'text/xml',
    rejected,
  ],
  ['gif that is only a script', text(`GIF89a/*=1;${act}//*/`), 'a.js', 'text/javascript', 'image/gif'],
  ['gif that is also a page', text(gif, script), 'a.html', 'text/html', 'image/gif'],
  ['png with a page after it', text(png, `<html>${script}`), 'a.html', 'text/html', 'image/png'],
  ['jpeg with a page after it', text(jpeg(4, 3), script), 'a.jpg', 'image/jpeg', 'image/jpeg'],
  ['webp with a page after it', text(webp, script), 'a.webp', 'image/webp', 'image/webp'],
  [
    'pdf with a script',
    text(
      '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj',
      '\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>',
    ),
    'a.pdf',
    'application/pdf',
    'application/pdf',
  ],
  ['pdf said to be html', text(`%PDF-1.7\n${script}`), 'a.html', 'text/html', 'application/pdf'],
  ['xlsx said to be html', zip('[Content_Types].xml', 'xl/workbook.xml'), 'a.html', 'text/html', sheet],
  ['zip with a page in its names', zip('a.txt', script), 'a.zip', 'application/zip', 'application/zip'],
  ['java archive', zip('META-INF/MANIFEST.MF', 'A.class'), 'a.zip', 'application/zip', rejected],
  ['windows program', text('MZ\x90\0'), 'a.png', 'image/png', rejected],
  ['web assembly', bytes('\0asm\x01'), 'a.png', 'image/png', rejected],
  ['script', text(act), 'a.js', 'text/javascript', 'text/plain'],
  ['scripts in a table', text(`name,notes\nx,"${script}"`), 'a.csv', 'text/csv', 'text/csv'],
  [
    'scripts in json said to be html',
    text(JSON.stringify({ a: script })),
    'a.json',
    'text/html',
    'text/plain',
  ],
]

/** The messages for rejected files. */
const reasons =
  /The drawing has scripts or links that act|Web pages are not kept here|Programs are not kept here|The picture cannot be read/

/**
 * Announces, uploads and confirms a file of the library; returns its address, or null when it is rejected
 * with a reason.
 */
async function upload(
  { request }: BrowserContext,
  [is, content, name, type]: UploadCase,
): Promise<string | null> {
  const headers = { 'sec-fetch-site': 'same-origin', origin: app('') }
  const post = (path: string, data: object) =>
    request.post(app(`/v1/assets/oakton/files${path}`), { data, headers })
  const announced = await post('/getUploadWriteUrl', { name, type, size: content.length })
  expect([is, announced.status()]).toEqual([is, 200])
  const target = (await announced.json()) as { url: string; fileId: string; headers: Record<string, string> }
  const uploadResponse = await request.put(target.url, {
    data: Buffer.from(content),
    headers: target.headers,
  })
  expect([is, uploadResponse.status()]).toEqual([is, 200])
  const confirmation = await post('', { fileId: target.fileId })
  if (confirmation.status() < 300) return ((await confirmation.json()) as { url: string }).url
  expect([is, confirmation.status(), await confirmation.text()]).toEqual([
    is,
    400,
    expect.stringMatching(reasons),
  ])
  const rejectedFile = await request.get(app(`/m/${target.fileId}`))
  expect([is, rejectedFile.status()]).toEqual([is, 404])
  return null
}

test('rejects active content, or opens it without running it', async () => {
  const window = await openWindow(browser)
  const { page, context } = window
  await context.addCookies(
    (await cookiesFor(person, port)).split('; ').map((pair) => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: app('/') }
    }),
  )
  const acted: string[] = []
  let downloads: string[] = []
  page.on('dialog', (dialog) => {
    acted.push(`dialog: ${page.url()}`)
    void dialog.dismiss()
  })
  page.on('download', (download) => void downloads.push(download.suggestedFilename()))
  const elsewhere = `http://evil.localhost:${(foreign.address() as AddressInfo).port}/?file=`
  let acceptedCount = 0
  for (const file of files) {
    const [is, , , , type] = file
    const address = await upload(context, file)
    expect([is, address === null]).toEqual([is, type === null])
    if (address === null) continue
    acceptedCount += 1
    const { headers: all } = await context.request
      .get(address)
      .then((answer) => ({ headers: answer.headers() }))
    const isShown = type?.startsWith('image/') && type !== 'image/svg+xml'
    expect([is, all['content-type'], all['content-disposition']?.split(';')[0]]).toEqual([
      is,
      type,
      isShown ? 'inline' : 'attachment',
    ])
    downloads = []
    // A download leaves the window where it was and is reported as an error.
    await page.goto('about:blank')
    const response = await page.goto(address).catch((error: Error) => error.message)
    if (isShown) expect([is, typeof response, downloads]).toEqual([is, 'object', []])
    else {
      await expect.poll(() => downloads.length, { message: is }).toBe(1)
      expect([is, page.url(), /\.(html?|js|svgz|xml)$/.test(downloads[0] ?? '')]).toEqual([
        is,
        'about:blank',
        false,
      ])
    }
    const ways = [address, `${elsewhere}${encodeURIComponent(address)}`]
    for (const way of isShown ? ways : ways.slice(1)) {
      if (way !== address) await page.goto(way, { waitUntil: 'load' })
      for (const frame of page.frames())
        if (await frame.evaluate(() => '__pwned' in globalThis)) acted.push(`script: ${is}`)
    }
  }
  writeMeasurements('hostile-files', {
    files: files.length,
    kept: acceptedCount,
    refused: files.length - acceptedCount,
  })
  expect([acted, window.foreign]).toEqual([[], []])
  expect(acceptedCount).toBeGreaterThan(10)
  await context.close()
})
