import { expect, test } from 'vitest'
import { routeMarkup } from '../shell/markup.testing.tsx'
import { byName, listQuery, type ListOffer } from './list-query.ts'
import { List } from './list.tsx'

const offer: ListOffer = {
  sorts: { name: byName },
  filters: {
    kind: { label: 'Kind', options: [{ value: 'tree', label: 'Tree' }] },
    tag: { label: 'Tag' },
    folder: {},
  },
}

/** A list of data types at a URL, with so many rows on the page. */
const draw = (search: string, rowCount: number, rights: { mayRestore?: boolean; isDeleted?: boolean } = {}) =>
  routeMarkup(
    <List
      offer={offer}
      list={{ query: listQuery(new URL(`https://hub.example/${search}`), offer), total: rowCount, ...rights }}
      noun="data types"
      visibleCount={rowCount}
      choices={{ folder: [{ value: 'f', label: 'A folder' }] }}
      empty={{ title: 'No data types yet' }}
      deleted={rowCount ? [{ id: 'old', name: 'Old trees', note: 'Data type' }] : []}
    >
      <p>The rows</p>
    </List>,
  )

test.each([
  ['rows', '', 1, {}, 'The rows'],
  ['nothing yet', '', 0, {}, 'No data types yet'],
  ['nothing that fits', '?search=x', 0, {}, 'No data type fits what you are looking for.'],
  ['what was deleted', '', 1, { mayRestore: true, isDeleted: true }, 'Old trees'],
  ['nothing that was deleted', '?search=x', 0, { mayRestore: true, isDeleted: true }, 'Nothing was deleted'],
])('it shows %s, and no other of these', async (_what, search, rowCount, rights, words) => {
  const markup = await draw(search, rowCount, rights)
  const all = ['The rows', 'No data types yet', 'No data type fits', 'Old trees', 'Nothing was deleted']
  expect(all.filter((each) => markup.includes(each))).toEqual(all.filter((each) => words.startsWith(each)))
  expect(markup).toContain('aria-label="Pages of data types"')
})

test('an empty result offers a link to all rows', async () => {
  expect(await draw('?kind=tree', 0)).toMatch(/<a [^>]*href="\/"[^>]*>Show all data types<\/a>/)
})

test('a filter has a select if it has a label and options', async () => {
  const markup = await draw('?kind=tree', 1)
  expect([...markup.matchAll(/<select name="(\w+)"/g)].map((match) => match[1])).toEqual(['kind', 'sort'])
  expect(markup).toMatch(/<option value="tree" selected=""/)
})

test('without delete permission there is no link to deleted items', async () => {
  expect(await draw('', 1)).not.toContain('deleted=true')
  expect(await draw('', 1, { mayRestore: true })).toContain('href="/?deleted=true"')
})
