import { HubError } from './components/hub/hub-error.tsx'
import { HubShell } from './components/hub/hub-shell.tsx'
import { NotFound as HubNotFound } from './components/hub/not-found.tsx'
import { MainError, useFailed } from './components/shell/main-error.tsx'
import { useRoot } from './root.tsx'

/** What is shown instead of a page: in the frame of its site where there is one. */
export function RootError() {
  const failure = useFailed()
  const root = useRoot()
  const { status, pathname } = failure
  // Hub pages carry no framework: in a browser there is only the workspace, which need not load their frame.
  if (!import.meta.env.SSR || root?.mode !== 'hub') return <MainError {...failure} />
  if (!root.hub) return <HubError status={status} currentPath={pathname} locale="en" />
  const { frame } = root.hub
  const base = frame.base ? { base: frame.base } : {}
  return (
    <HubShell {...frame} currentPath={pathname}>
      {status === 404 ? (
        <HubNotFound locale={frame.locale} {...base} />
      ) : (
        <HubError status={status} currentPath={pathname} locale={frame.locale} {...base} />
      )}
    </HubShell>
  )
}
