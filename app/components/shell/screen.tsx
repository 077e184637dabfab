import { useActionData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useToast, type ActionOutcome } from '#app/client/use-toast.ts'
import { PageHead, type PageHeadProps } from './page-head.tsx'

interface ScreenProps extends PageHeadProps {
  /** For a single form, in one column. */
  isNarrow?: boolean
  /** Whether its children are spaced as a stack. */
  isStack?: boolean
  /** Messages after success of its buttons, by intent; with them errors of its buttons are shown as well. */
  done?: Readonly<Record<string, string>>
  children?: ReactNode
}

/** The frame of a screen of the workspace: head, content, and a message about the outcome of its buttons. */
export function Screen({ isNarrow, isStack, done, children, ...head }: ScreenProps) {
  const outcome = useActionData<ActionOutcome>()
  useToast(done ? outcome : undefined, done ?? {})
  const width = isNarrow ? 'page-narrow' : 'page-wide'
  return (
    <div className={isStack ? `${width} stack` : width}>
      <PageHead {...head} />
      {children}
    </div>
  )
}
