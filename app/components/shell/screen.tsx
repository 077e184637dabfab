import { useActionData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useToast, type ActionOutcome } from '#app/client/use-toast.ts'
import { PageHead, type PageHeadProps } from './page-head.tsx'

interface ScreenProps extends PageHeadProps {
  /** For a form alone, which is read in one column. */
  isNarrow?: boolean
  /** Whether its parts keep the distance of a stack. */
  isStack?: boolean
  /** What is said when its buttons have done something, by intent, and then also what is refused of them; without it neither is. */
  done?: Readonly<Record<string, string>>
  children?: ReactNode
}

/** A screen of the workspace: its head, what stands in it, and a word about what its buttons did. */
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
