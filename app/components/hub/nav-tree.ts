import type { SidebarDataType } from './hub-shell.tsx'

const entities: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
}
const escape = (text: string) => text.replace(/[&"'<>]/g, (character) => entities[character] ?? '')

/**
 * The data types of a hub with their public indicators as the markup of a list, escaped as React does it; the one that the
 * path is below stands open. `empty` is said of a data type without any. A hub has thousands of indicators and each of its
 * pages has them all: as elements that is most of the work of a page, as text it is nearly none.
 */
export function navTree(
  dataTypes: readonly SidebarDataType[],
  { currentPath, base, empty }: { currentPath: string; base: string; empty: string },
): string {
  return dataTypes
    .map(({ id, name, sources, all }) => {
      const under = `/domains/${encodeURIComponent(id)}/source/`
      const links = sources.map((source) => {
        const path = under + encodeURIComponent(source.id)
        const current = currentPath === path ? ' aria-current="page"' : ''
        return `<li><a href="${escape(base + path)}"${current}>${escape(source.name)}</a></li>`
      })
      if (all) links.push(`<li><a href="${escape(all.href)}">${escape(all.label)}</a></li>`)
      const open = currentPath.startsWith(under) ? ' open=""' : ''
      const none = links.length === 0 ? `<p>${escape(empty)}</p>` : ''
      return `<li><details${open}><summary>${escape(name)}</summary>${none}<ul>${links.join('')}</ul></details></li>`
    })
    .join('')
}
