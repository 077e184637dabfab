import { Link, useLocation } from '@remix-run/react'
import { Menu as MenuIcon, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSidebar } from '#app/client/use-sidebar.ts'
import { Avatar } from './avatar.tsx'
import { BottomMenu } from './bottom-menu.tsx'
import { Commands } from './commands.tsx'
import type { MainFrame } from './frame.ts'
import { HelpMenu } from './help-menu.tsx'
import { NavIcon } from './icons.tsx'
import type { NavigationLink } from './navigation.ts'
import { SupportBar } from './support-bar.tsx'
import { PlaceSwitcher } from './place-switcher.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { SuperAdminBanner } from './super-admin-banner.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { Toasts } from './toasts.tsx'

/** The workspace around a screen: sidebar, switcher, menus, toasts. Its links and forms work without scripts. */
export function Shell({ frame, children }: { frame: MainFrame; children: ReactNode }) {
  const sidebar = useSidebar()
  const name = frame.place?.displayName ?? frame.user?.name ?? 'Commonplace'
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <ProgressBar />
      <div className="shell" data-sidebar={sidebar.isOpen ? 'open' : undefined}>
        <div className="shell-banners">
          {frame.isSuperAdmin ? <SuperAdminBanner /> : null}
          {frame.place && frame.openUntil ? (
            <SupportBar
              name={frame.place.displayName}
              until={frame.openUntil}
              isSupport={!frame.isSuperAdmin}
            />
          ) : null}
        </div>
        <header className="shell-top">
          <a
            className="button is-quiet is-icon"
            href="#sidebar"
            aria-label="Menu"
            onClick={(event) => {
              event.preventDefault()
              sidebar.open()
            }}
          >
            <MenuIcon size={20} aria-hidden="true" />
          </a>
          <span className="shell-top-name truncate">{name}</span>
        </header>
        <aside className="shell-sidebar" id="sidebar" aria-label="Workspace">
          {frame.user ? <PlaceSwitcher frame={frame} /> : <Brand />}
          <Navigation links={frame.top} />
          <div className="shell-foot">
            <div className="shell-tools">
              {frame.user ? <Commands frame={frame} /> : null}
              <HelpMenu links={frame.help} />
              <ThemeToggle />
              <button
                type="button"
                className="button is-quiet is-icon is-small shell-collapse"
                aria-label={sidebar.isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
                aria-expanded={!sidebar.isCollapsed}
                aria-controls="sidebar"
                onClick={sidebar.toggleCollapsed}
              >
                <PanelLeft size={18} aria-hidden="true" strokeWidth={1.75} />
              </button>
            </div>
            <BottomMenu frame={frame} />
          </div>
        </aside>
        <main className="shell-main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Toasts />
    </>
  )
}

function Brand() {
  return (
    <a className="shell-switcher" href="/explore">
      <Avatar name="Commonplace" image={null} />
      <span className="shell-switcher-label">Commonplace</span>
    </a>
  )
}

/** Screens that belong to a link whose path is not a prefix of theirs. */
const alsoUnder: Record<string, string> = { '/collections': '/insights', '/sources': '/types' }

function Navigation({ links }: { links: NavigationLink[] }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Main">
      <ul className="shell-nav">
        {links.map((link) => (
          <li key={link.to}>
            <NavigationItem link={link} isCurrent={isUnder(pathname, link.to)} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function isUnder(pathname: string, to: string): boolean {
  const isWithin = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  const also = alsoUnder[to]
  return isWithin(to) || (also !== undefined && isWithin(also))
}

function NavigationItem({ link, isCurrent }: { link: NavigationLink; isCurrent: boolean }) {
  return (
    <Link to={link.to} title={link.label} prefetch="intent" aria-current={isCurrent ? 'page' : undefined}>
      <NavIcon name={link.icon} />
      <span className="shell-nav-label">{link.label}</span>
    </Link>
  )
}
