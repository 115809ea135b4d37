/** The names under which main process and preload script speak; what goes over them is validated in `main/shell-api.ts`. */
export const CALL = 'hearth:call';
export const RUNTIME_STATUS = 'hearth:runtime-status';
export const COMMAND = 'hearth:command';
export const OPEN_SESSION = 'hearth:open-session';
export const OPEN_RUN = 'hearth:open-run';
export const OPEN_TASK = 'hearth:open-task';
export const NOTIFICATION_ANSWER = 'hearth:notification-answer';
export const PORT = 'hearth:port';
