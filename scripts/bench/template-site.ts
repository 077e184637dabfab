import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Block, Words } from './words.ts'

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`
    case 'paragraph':
      return `<p>${escaped(block.text)}</p>`
    case 'row':
      return `<table><tr>${block.cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr></table>`
    case 'picture':
      return block.svg
  }
}

/** Renders a whole page by template strings: the minimum of what any generator does. */
export function renderTemplate({ locale, title, blocks }: Words): string {
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><header><a href="/">Home</a></header><main>${blocks.map(renderBlock).join('')}</main><footer><p>Made of the same words</p></footer></body></html>`
}

/** Writes all pages into a folder; returns the milliseconds. */
export function buildByTemplate(folder: string, documents: readonly Words[]): number {
  const startMs = performance.now()
  for (const words of documents) {
    const at = join(folder, words.path)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'index.html'), renderTemplate(words))
  }
  return performance.now() - startMs
}
