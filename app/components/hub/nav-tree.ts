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
 * The data types of a hub with their sources as HTML, escaped like React does; the current one is open. `empty`: the text for a data
 * type without sources. A string because a hub has thousands of sources on each page, and elements would dominate the rendering time.
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
