import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { SidebarDataType } from './hub-shell.tsx'
import { navTree } from './nav-tree.ts'

const odd = `<b>"Rain" & 'snow'</b>`
const dataTypes: SidebarDataType[] = [
  {
    id: 'rain & snow',
    name: odd,
    sources: [
      { id: 'a/b"', name: odd },
      { id: 'two', name: 'Two' },
    ],
    all: { href: '/search?a=1&b="', label: `All: <300>` },
  },
  { id: 'none', name: 'None', sources: [] },
]

/** The same tree as React elements. */
function Tree({ currentPath, base, empty }: { currentPath: string; base: string; empty: string }) {
  return dataTypes.map(({ id, name, sources, all }) => {
    const under = `/domains/${encodeURIComponent(id)}/source/`
    return (
      <li key={id}>
        <details open={currentPath.startsWith(under)}>
          <summary>{name}</summary>
          {sources.length === 0 ? <p>{empty}</p> : null}
          <ul>
            {sources.map((source) => {
              const path = under + encodeURIComponent(source.id)
              return (
                <li key={source.id}>
                  <a href={base + path} aria-current={currentPath === path ? 'page' : undefined}>
                    {source.name}
                  </a>
                </li>
              )
            })}
            {all ? (
              <li>
                <a href={all.href}>{all.label}</a>
              </li>
            ) : null}
          </ul>
        </details>
      </li>
    )
  })
}

test.each(['/', '/domains/rain%20%26%20snow/source/two', '/domains/none/source/x'])(
  'is what React would write, at %s',
  (currentPath) => {
    const options = { currentPath, base: `/es"'&`, empty: 'Nothing <yet>' }
    expect(navTree(dataTypes, options)).toBe(renderToStaticMarkup(<Tree {...options} />))
    expect(navTree(dataTypes, options)).not.toContain('<b>')
  },
)
