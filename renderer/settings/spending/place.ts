/** Address of the settings of what models may use. */
export const SPENDING = '/settings/spending';
