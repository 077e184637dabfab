import { useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useRoot } from '#app/root.tsx'
import { HubShell } from '#app/components/hub/hub-shell.tsx'

/** A page of a hub in its frame; the sidebar lists domains only on domain pages. */
export function HubPage({ children }: { children: ReactNode }) {
  const frame = useRoot()?.hub?.frame
  const { pathname } = useLocation()
  if (!frame) return <>{children}</>
  const { sidebar, ...rest } = frame
  const isDomainPage = pathname.startsWith('/domains')
  return (
    <HubShell {...rest} {...(isDomainPage && sidebar ? { sidebar } : {})} currentPath={pathname}>
      {children}
    </HubShell>
  )
}
