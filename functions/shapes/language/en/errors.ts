import type { ErrorKind, ErrorTexts } from '../errors.ts'

/** In a file of its own, because the workspace uses these texts too. */
export const errors: Record<ErrorKind, ErrorTexts> = {
  access: {
    title: 'Uh-oh! You don’t have access to this.',
    text: 'Ask your team admin for access, or contact support for help.',
  },
  missing: {
    title: 'Uh-oh! This doesn’t exist.',
    text: 'It may have been deleted, or the URL is invalid.',
  },
  slow: {
    title: 'Something took longer than expected.',
    text: 'Try again in a few, or try adjusting your query.',
  },
  broken: {
    title: 'Uh-oh! Something went wrong.',
    text: 'Our people are looking into it.',
  },
}
