import { cssTransition, ToastContainer } from 'react-toastify/unstyled'

const autoCloseMs = 3000

/** "Slide transition 750 ms": the durations are in the style sheet with the two animations. */
const slide = cssTransition({ enter: 'toast-enter', exit: 'toast-exit', collapseDuration: 200 })

/** The container of toasts: bottom left, for three seconds, paused on hover. */
export default function Messages() {
  return (
    <ToastContainer
      position="bottom-left"
      autoClose={autoCloseMs}
      transition={slide}
      hideProgressBar
      closeButton={false}
      draggable={false}
      icon={false}
      aria-label="Messages"
    />
  )
}
