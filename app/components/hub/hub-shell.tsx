import type { ReactNode } from 'react'
import { HubFooter } from './hub-footer.tsx'
import { HubHeader } from './hub-header.tsx'
import type { HubLogos } from './hub-image.ts'
import { HubSidebar } from './hub-sidebar.tsx'
import type { Share } from './share-menu.tsx'
import { words } from './words.ts'

interface HubPlace {
  id: string
  displayName: string
  /** Without any the name stands alone. */
  logos?: HubLogos
  hasMap: boolean
}

/** A data type with its public indicators, or some of them, in the order of their names. */
export interface SidebarDataType {
  id: string
  name: string
  sources: { id: string; name: string }[]
  /** Where all of them are, in words, where these are only some. */
  all?: { href: string; label: string }
}

interface HubLocale {
  locale: string
  /** The language's own name. */
  label: string
  href: string
}

/** What every page of a hub is given for its frame. */
export interface HubFrame {
  place: HubPlace
  /** The number of public indicators, shown as '0,0'; absent when it is not known. */
  indicatorsCount?: number
  /** Set on domain pages: the data types with their public sources. */
  sidebar?: SidebarDataType[]
  /** The path of the page without its language prefix, as in '/domains'. */
  currentPath: string
  /** What was searched for, to fill the box. */
  searchQuery?: string
  locale: string
  /** Put before every path of the hub: '' for the default language, '/es' for another. */
  base?: string
  /** The languages this page exists in; shown when there are two or more. */
  locales?: HubLocale[]
  /** The page that explains the API, of the workspace. */
  apiHref?: string
  /** That not all of it is in the language of the page; taken out of the document where all is. */
  partly?: string
  /** How the page is shared; absent for pages that stand instead of another. */
  share?: Share
}

interface HubShellProps extends HubFrame {
  children: ReactNode
}

/** The frame of every hub page: skip link, header, sidebar, the page itself, footer. */
export function HubShell({ children, ...frame }: HubShellProps) {
  const w = words(frame.locale)
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
