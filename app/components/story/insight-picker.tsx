import { DialogButton } from '../shell/dialog-button.tsx'
import { loadOnDemand } from '../state/load-on-demand.tsx'

const { Component: InsightDialog, preload } = loadOnDemand(() => import('./insight-dialog.tsx'))

export interface InsightChoice {
  id: string
  name: string
  notes: string
  /** The type of its visualization. */
  type: string
}

interface InsightPickerProps {
  insights: InsightChoice[]
  onPick(id: string): void
  /** The label of its button. */
  label?: string
  className?: string
}

/** The choice of an insight of the place by name. */
export function InsightPicker({
  insights,
  onPick,
  label = 'Insight…',
  className = 'button is-small',
}: InsightPickerProps) {
  return (
    <DialogButton className={className} label={label} preload={preload}>
      {(close) => (
        <InsightDialog
          insights={insights}
          onPick={(id) => {
            close()
            onPick(id)
          }}
          onClose={close}
        />
      )}
    </DialogButton>
  )
}
