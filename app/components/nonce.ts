import { createContext } from 'react'

/** The CSP nonce of this response for inline scripts; undefined on hub pages, which have none. */
export const NonceContext = createContext<string | undefined>(undefined)
