import { hubLinks, HubLinks } from './hub-menu.tsx'
import type { HubFrame } from './hub-shell.tsx'
import { Icon } from './icons.tsx'
import { navTree } from './nav-tree.ts'
import { hubTexts } from './texts.ts'

/** The sections and, on domain pages, the data types with their sources. Wide screens only. */
export function HubSidebar(frame: HubFrame) {
  const { sidebar, currentPath, locale, base = '' } = frame
  const w = hubTexts(locale)
  return (
    <aside className="hub-sidebar" data-sidebar="">
      <div className="hub-sidebar-inner" id="hub-sidebar">
        <nav aria-label={w.sections}>
          <HubLinks links={hubLinks(frame)} />
        </nav>
        {sidebar && sidebar.length > 0 ? (
          <nav className="nav-tree" aria-label={w.allDomains}>
            {/* Markup of our own, every name in it escaped: thousands of elements for React in each page of a hub. */}
            <ul
              dangerouslySetInnerHTML={{
                __html: navTree(sidebar, { currentPath, base, empty: w.noSources }),
              }}
            />
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
