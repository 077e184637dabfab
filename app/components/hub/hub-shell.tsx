import type { ReactNode } from 'react'
import { HubFooter } from './hub-footer.tsx'
import { HubHeader } from './hub-header.tsx'
import type { HubLogos } from './hub-image.ts'
import { HubSidebar } from './hub-sidebar.tsx'
import type { Share } from './share-menu.tsx'
import { hubTexts } from './texts.ts'

interface HubPlace {
  id: string
  displayName: string
  /** Without logos only the name is shown. */
  logos?: HubLogos
  hasMap: boolean
}

/** A data type with all or some of its public sources, by name. */
export interface SidebarDataType {
  id: string
  name: string
  sources: { id: string; name: string }[]
  /** The labelled link to all of them, if only some are listed. */
  all?: { href: string; label: string }
}

interface HubLocale {
  locale: string
  /** The language's own name. */
  label: string
  href: string
}

/** The props of a hub page's frame. */
export interface HubFrame {
  place: HubPlace
  /** The number of public sources; absent if unknown. */
  indicatorsCount?: number
  /** The data types with their public sources, on domain pages. */
  sidebar?: SidebarDataType[]
  /** The path of the page without its language prefix, as in '/domains'. */
  currentPath: string
  /** The search text, to fill the box. */
  searchQuery?: string
  locale: string
  /** Prefix of every path of the hub: '' for the default language, '/es' for another. */
  base?: string
  /** The languages of this page; shown if there are two or more. */
  locales?: HubLocale[]
  /** The API reference in the workspace. */
  apiHref?: string
  /** The notice that the page is partly untranslated; removed if it is not. */
  partly?: string
  /** The sharing data of the page; absent for error pages. */
  share?: Share
}

interface HubShellProps extends HubFrame {
  children: ReactNode
}

/** The frame of every hub page: skip link, header, sidebar, content, footer. */
export function HubShell({ children, ...frame }: HubShellProps) {
  const w = hubTexts(frame.locale)
  return (
    <div className="hub">
      <a className="skip-link" href="#content">
        {w.skip}
      </a>
      <HubHeader {...frame} />
      <div className="hub-body">
        <HubSidebar {...frame} />
        <main className="hub-main" id="content" tabIndex={-1}>
          {frame.partly ? <p className="muted partly">{frame.partly}</p> : null}
          {children}
        </main>
      </div>
      <HubFooter {...frame} />
    </div>
  )
}
