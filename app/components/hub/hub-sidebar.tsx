import { hubLinks, HubLinks } from './hub-menu.tsx'
import type { HubFrame, SidebarDataType } from './hub-shell.tsx'
import { Icon } from './icons.tsx'
import { words } from './words.ts'

/** The sections and, on domain pages, the data types with their public indicators. Wide screens only. */
export function HubSidebar(frame: HubFrame) {
  const { sidebar, currentPath, locale, base = '' } = frame
  const w = words(locale)
  return (
    <aside className="hub-sidebar" data-sidebar="">
      <div className="hub-sidebar-inner" id="hub-sidebar">
        <nav aria-label={w.sections}>
          <HubLinks links={hubLinks(frame)} />
        </nav>
        {sidebar && sidebar.length > 0 ? (
          <nav className="nav-tree" aria-label={w.allDomains}>
            <ul>
              {sidebar.map((dataType) => (
                <DataTypeBranch key={dataType.id} {...{ dataType, currentPath, base }} empty={w.noSources} />
              ))}
            </ul>
          </nav>
        ) : null}
      </div>
      <button
        type="button"
        className="hub-tool hub-collapse keeps-room"
        data-sidebar-toggle=""
        aria-expanded="true"
        aria-controls="hub-sidebar"
        aria-label={w.collapse}
        title={w.collapse}
        hidden
      >
        <Icon name="sidebar" />
      </button>
    </aside>
  )
}

interface BranchProps {
  dataType: SidebarDataType
  currentPath: string
  base: string
  empty: string
}

function DataTypeBranch({ dataType, currentPath, base, empty }: BranchProps) {
  const under = `/domains/${encodeURIComponent(dataType.id)}/source/`
  return (
    <li>
      <details open={currentPath.startsWith(under)}>
        <summary>{dataType.name}</summary>
        {dataType.sources.length === 0 ? <p>{empty}</p> : null}
        <ul>
          {dataType.sources.map((source) => {
            const path = under + encodeURIComponent(source.id)
            return (
              <li key={source.id}>
                <a href={base + path} aria-current={currentPath === path ? 'page' : undefined}>
                  {source.name}
                </a>
              </li>
            )
          })}
        </ul>
      </details>
    </li>
  )
}
