import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import type { Settings } from '#functions/context.ts'
import { composeEmail, toSingleLine, tokenMark, withToken } from './email.ts'

const settings = { scheme: 'https', appHost: 'app.test' } as Settings

/** Malicious names entered by people. */
const names = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script href="data:text/javascript,alert(1)"/></svg>',
  '<a href="https://evil.test">See the invitation</a>',
  '<base href="https://evil.test/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<form action="https://evil.test"><input name="password">',
  '<iframe src="https://evil.test"></iframe>',
  '<style>body{background:url(https://evil.test)}</style>',
  '<link rel="stylesheet" href="https://evil.test/a.css">',
  '<img src="https://evil.test/pixel.gif">',
  '</p></body></html><h1>Your account is closed</h1>',
  '</title><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '" onmouseover="alert(1)',
  "' style='position:fixed;inset:0",
  '"/><a href="https://evil.test',
  '--><script>alert(1)</script><!--',
  '<!--',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?>',
  '<',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '&',
  '\u2028<b>bold</b>\u2029',
  'Name\r\nBcc: eve@evil.test',
  'Name\r\n\r\n<html>another letter',
  'Name\nContent-Type: text/html',
  'Name\u0000<b>',
  '=?utf-8?B?PHNjcmlwdD4=?=',
  `https://evil.test/?token=${tokenMark}`,
  `token=${tokenMark}`,
  `https://evil.test/?token=token=${tokenMark}${tokenMark}`,
  'token={tok\u0000en}',
  '$&$1$`',
]

/**
 * An alert email with user input in all parts: subject, names of observer and place, link label, text after
 * the link.
 */
const composeAlertEmail = (name: string) =>
  composeEmail('ada@example.org', settings, {
    subject: `Alert: ${toSingleLine(name)}`,
    lines: [name, `Place: ${toSingleLine(name)}`],
    link: { label: name, path: `/types/${encodeURIComponent(name)}?alert=1` },
    after: `You get this letter because the observer "${name}" tells you of its alerts.`,
    stop: `/places/${encodeURIComponent(name)}/unsubscribe?token=${tokenMark}`,
    about: { kind: 'alert', subjectId: '1' },
  })

/** Parses HTML like a mail client: elements with attributes except URLs, links, and the text. */
function read(html: string) {
  const elements: string[] = []
  const links: string[] = []
  let text = ''
  const parser = new Parser({
    onopentag(element, { href, ...attributes }) {
      elements.push(`${element} ${JSON.stringify(attributes)}`)
      if (href !== undefined) links.push(href)
    },
    ontext: (more) => (text += more),
    oncomment: () => elements.push('comment'),
    onprocessinginstruction: (_, data) => elements.push(data),
  })
  parser.end(html)
  return { elements, links, text }
}

const plain = read(composeAlertEmail('Air quality').html)

test.each(names)('an email with the name %j is unchanged', (name) => {
  const { html } = composeAlertEmail(name)
  const { elements, links, text } = read(html)
  expect(elements).toEqual(plain.elements)
  expect(links.map((link) => new URL(link).host)).toEqual(['app.test', 'app.test'])
  // The whole name is readable, except for the placeholder of a token.
  expect(text).toContain(name.includes(tokenMark) ? name.split(tokenMark)[0] : name)
})

test.each(names)('the token of an email with the name %j is only in the link at its end', (name) => {
  const mail = withToken(composeAlertEmail(name), 'the-token')
  const stop = `https://app.test/places/${encodeURIComponent(name)}/unsubscribe?token=the-token`
  expect(mail.text.split('the-token').length - 1).toBe(1)
  expect(mail.text).toContain(stop)
  expect(read(mail.html).links[1]).toBe(stop)
  expect(mail.html.split('the-token').length - 1).toBe(1)
  expect(mail.subject).not.toContain('the-token')
  expect(mail.headers).toEqual({
    'List-Unsubscribe': `<${stop}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
})

test.each(names)('no header and no subject of an email with the name %j has a second line', (name) => {
  const { subject, headers, to } = composeAlertEmail(name)
  for (const line of [subject, to, ...Object.values(headers ?? {})])
    expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
})

test('an email reveals no IP address it was requested from', () => {
  const { elements } = plain
  expect(elements).toContain('meta {"name":"referrer","content":"no-referrer"}')
  expect(elements.filter((element) => element.startsWith('a '))).toEqual(
    Array(2).fill('a {"rel":"noreferrer","referrerpolicy":"no-referrer"}'),
  )
})
