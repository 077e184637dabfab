import type { ReactNode } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { loadOnDemand } from '#app/components/state/load-on-demand.tsx'

const { Component: OpenDialog } = loadOnDemand(() => import('#app/components/shell/open-dialog.tsx'))

interface FileDialogProps {
  name: string
  onClose(): void
  children: ReactNode
}

/** Shows a file's page in a dialog over the library; above the list without scripts, and while the dialog's script loads. */
export function FileDialog({ name, onClose, children }: FileDialogProps) {
  const isHydrated = useHydrated()
  const section = (
    <section className="card card-body without-scripts" aria-label={name}>
      {children}
    </section>
  )
  if (!isHydrated) return section
  return (
    <OpenDialog title={name} size="xl" onClose={onClose} meanwhile={section}>
      <div className="dialog-body">{children}</div>
    </OpenDialog>
  )
}
