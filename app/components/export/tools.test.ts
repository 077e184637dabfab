import { describe, expect, it } from 'vitest'
import { exportUrl, tools, withUrl } from './tools.ts'
import { exportFormats } from '#functions/shapes/export-format.ts'

describe('the guides', () => {
  it.each(Object.values(tools))('$name offers supported formats, each once, with steps', (tool) => {
    const formats = tool.formats.map(({ format }) => format)
    expect(new Set(formats).size).toBe(formats.length)
    for (const { format, steps, snippet } of tool.formats) {
      expect(exportFormats).toContain(format)
      expect(steps.length).toBeGreaterThan(0)
      if (snippet !== undefined) expect(snippet).toContain('{url}')
    }
  })
  it('put the URL of the file into the text to paste', () => {
    const url = exportUrl('https://hub.example', 'a b', 'csv')
    expect(url).toBe('https://hub.example/v1/sources/a%20b/export?format=csv')
    expect(withUrl('=IMPORTDATA("{url}")', url)).toBe(`=IMPORTDATA("${url}")`)
  })
})
