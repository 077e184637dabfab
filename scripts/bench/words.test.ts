import { describe, expect, it } from 'vitest'
import { renderTemplate } from './template-site.ts'
import { extractWords } from './words.ts'

const html = `<!doctype html><html><head><title>Rain &amp; snow</title></head><body><header><p>Not this</p></header>
<main><h1>Rain</h1><svg viewBox="0 0 1 1"><title>Chart</title><text>7</text></svg><p>It  rains
<b>much</b> &lt;here&gt;.</p><p> </p><table><tr><th>Day</th><th>mm</th></tr><tr><td>1</td><td></td></tr></table></main></body></html>`

describe('the words of a page', () => {
  const words = extractWords(html, 'a', 'en')

  it('are those of its main part, in order', () => {
    expect(words).toEqual({
      path: 'a',
      locale: 'en',
      title: 'Rain & snow',
      blocks: [
        { kind: 'heading', level: 1, text: 'Rain' },
        { kind: 'picture', svg: '<svg viewBox="0 0 1 1"><title>Chart</title><text>7</text></svg>' },
        { kind: 'paragraph', text: 'It rains much <here>.' },
        { kind: 'row', cells: ['Day', 'mm'] },
        { kind: 'row', cells: ['1', ''] },
      ],
    })
  })

  it('survive a round trip through a page that is made of them', () => {
    expect(extractWords(renderTemplate(words), 'a', 'en')).toEqual(words)
  })
})
