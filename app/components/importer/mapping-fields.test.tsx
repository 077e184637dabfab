import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MappingFields, getWordsByColumn } from './mapping-fields.tsx'
import type { Evidence } from './trial.ts'

const evidence = (path: string, words: string[]): Evidence => ({
  ...{ key: path, paths: [path], type: 'number', values: 9, parsed: 9, reason: '', notes: [], failing: [] },
  missing: words.map((word) => ({ word, count: 2, how: 'offered' })),
})

test('words that were found in the column of a field are offered as missing values', () => {
  const html = renderToStaticMarkup(
    <MappingFields
      schema={{ height: { name: 'Height', type: 'number' }, girth: { name: 'Girth', type: 'number' } }}
      mapping={{ height: { field: 'h' }, girth: { field: 'g' } }}
      columns={{}}
      paths={[]}
      words={getWordsByColumn({ fields: [evidence('h', ['999', 'n/d']), evidence('g', [])] })}
      rows={[]}
    />,
  )
  expect([...html.matchAll(/aria-label="(Read [^"]+)"/g)].map(([, label]) => label)).toEqual([
    'Read “999” in Height as missing',
    'Read “n/d” in Height as missing',
  ])
})
