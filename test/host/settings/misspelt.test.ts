import { expect } from 'chai';
import { readConfig } from '../../../host/settings/config.ts';
import { findMisspelt } from '../../../host/settings/misspelt.ts';
import { SETTINGS } from '../../../host/settings/settings.ts';

const meantBy = (name: string, value = 'x'): string | undefined => findMisspelt({ [name]: value })[0]?.meant;

const toEnvironment = (names: string): Record<string, string> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'x']),
  );

// Names as these programs set them, with any value.
const FOREIGN: Readonly<Record<string, string>> = {
  shells: `HOME PATH PWD OLDPWD USER LOGNAME SHELL SHLVL LANG LC_ALL LANGUAGE TERM TERM_PROGRAM COLORTERM TZ EDITOR PAGER
    LINES COLUMNS HOSTNAME HOSTTYPE MACHTYPE OSTYPE UID EUID PPID IFS DISPLAY MAIL SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK
    XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME DBUS_SESSION_BUS_ADDRESS TMPDIR TEMP _`,
  Docker: `container HOSTNAME DOCKER_HOST DOCKER_TLS_VERIFY DOCKER_CERT_PATH DOCKER_CONFIG DOCKER_BUILDKIT BUILDKIT_HOST
    COMPOSE_PROJECT_NAME COMPOSE_FILE YARN_VERSION NODE_VERSION DB_PORT_5432_TCP DB_PORT_5432_TCP_ADDR DB_ENV_DATA_DIR
    CHAIN_ENV_DATA_DIR CHAIN_PORT_8545_TCP_PROTO CHAIN_NAME`,
  Kubernetes: `KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT
    KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_PROTO KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_ADDR
    CHAIN_RPC_SERVICE_HOST CHAIN_RPC_SERVICE_PORT CHAIN_RPC_SERVICE_PORT_HTTP CHAIN_RPC_PORT_8545_TCP
    CHAIN_RPC_PORT_8545_TCP_ADDR METRICS_SERVICE_HOST METRICS_PORT_9090_TCP DATA_DIR_SERVICE_HOST LEDGER_SERVICE_HOST
    POD_NAME POD_IP POD_NAMESPACE NODE_NAME SERVICE_PORT SERVICE_HOST K_SERVICE K_REVISION K_CONFIGURATION`,
  systemd: `INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID WATCHDOG_USEC WATCHDOG_PID
    STATE_DIRECTORY RUNTIME_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY
    SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE SERVICE_RESULT EXIT_CODE EXIT_STATUS`,
  npm: `npm_config_cache npm_config_registry npm_config_user_agent npm_config_loglevel npm_package_name npm_package_json
    npm_lifecycle_event npm_lifecycle_script npm_execpath npm_node_execpath npm_command INIT_CWD NODE NODE_ENV
    NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE NODE_TLS_REJECT_UNAUTHORIZED NVM_DIR NVM_BIN NO_COLOR`,
  CI: `CI GITHUB_ACTIONS GITHUB_SERVER_URL GITHUB_API_URL GITHUB_TOKEN GITHUB_WORKSPACE RUNNER_OS RUNNER_TEMP
    RUNNER_TOOL_CACHE RUNNER_DEBUG CI_SERVER_HOST CI_SERVER_PORT CI_SERVER_URL CI_JOB_URL CI_PROJECT_DIR CI_PAGES_URL
    CI_SERVER_TLS_CA_FILE CI_SERVER_TLS_CERT_FILE CI_SERVER_TLS_KEY_FILE GITLAB_CI CIRCLE_BUILD_URL BUILDKITE_BUILD_URL
    TRAVIS_BUILD_DIR JENKINS_URL JENKINS_HOME BUILD_URL JOB_URL BUILD_ID WORKSPACE BITBUCKET_BUILD_NUMBER TF_BUILD
    SYSTEM_TEAMPROJECT AGENT_TOOLSDIRECTORY`,
  others: `HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR
    SSL_KEY_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO AWS_REGION AWS_CA_BUNDLE AWS_SECRET_ACCESS_KEY
    ECS_CONTAINER_METADATA_URI DYNO DATABASE_URL REDIS_URL BASE_URL API_URL APP_URL SERVER_URL SERVER_PORT SERVER_HOST
    HTTP_PORT HTTPS_PORT LISTEN_PORT APP_PORT APP_HOST BIND_HOST PORTS HOSTS LOGLEVEL LOG_LEVELS LOG_FILE LOG_DIR LOGS_DIR
    LOG_PATH LOGFORMAT DATA_PATH DATA_HOME DATA_ROOT PGDATA PGDATADIR PGHOST PGPORT MYSQL_DATA_DIR RPC_URL ETH_RPC_URL
    CHAIN_ID CHAIN_NAME CHAIN ETHERSCAN_API_KEY FOUNDRY_PROFILE HARDHAT_NETWORK RATE_LIMIT_WINDOW RATE_LIMIT_ENABLED
    OTEL_EXPORTER_OTLP_ENDPOINT OTEL_SERVICE_NAME PROMETHEUS_PORT METRICS_PATH METRICS_ENABLED OIDC_ISSUER OIDC_CLIENT_ID
    JWT_ISSUER TLS_ENABLED TLS_CA_FILE PUBLIC_KEY PUBLIC_DIR TENANT_ID TENANT READ_TIMEOUT PAGE_TITLE WEB_CONCURRENCY
    PYTHONPATH VIRTUAL_ENV JAVA_HOME GOPATH GOFLAGS CARGO_HOME LD_LIBRARY_PATH LS_COLORS MANPATH INFOPATH`,
};

describe('a misspelt setting', () => {
  it('is a variable that is close to the name of one', () => {
    for (const [name, meant] of [
      ['CHAIN_RPC_URLS', 'CHAIN_RPC_URL'],
      ['CHAIN_RCP_URL', 'CHAIN_RPC_URL'],
      ['CHAINRPC_URL', 'CHAIN_RPC_URL'],
      ['chain_rpc_url', 'CHAIN_RPC_URL'],
      ['CHAIN_URL', 'CHAIN_RPC_URL'],
      ['CHAIN_RPC_ENDPOINT', 'CHAIN_RPC_PORT'],
      ['DATADIR', 'DATA_DIR'],
      ['DATA-DIR', 'DATA_DIR'],
      ['DATA_DIRS', 'DATA_DIR'],
      ['DATA_DIR_PATH', 'DATA_DIR'],
      ['BLOB_DIR', 'BLOBS_DIR'],
      ['WITNESS', 'WITNESSES'],
      ['LEDGER_CONTRAKT', 'LEDGER_CONTRACT'],
      ['OIDC_ISSUER_FILE', 'OIDC_ISSUERS_FILE'],
      ['TLS_CERT_PATH', 'TLS_CERT_FILE'],
      ['TRANSACTIONS_INFLIGHT', 'TRANSACTIONS_IN_FLIGHT'],
    ] as const)
      expect(meantBy(name), name).to.equal(meant);
  });

  it('is found for every setting with a letter too much, too few, another or exchanged', () => {
    const common = ['PORT', 'HOST', 'LOG_LEVEL', 'LOG_FORMAT'];
    for (const { name } of Object.values(SETTINGS)) {
      const at = name.length >> 1;
      const variants = [
        `${name}S`,
        `${name.slice(0, at)}${name.slice(at + 1)}`,
        `${name.slice(0, at)}Q${name.slice(at + 1)}`,
        `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`,
      ].filter((variant) => !Object.values(SETTINGS).some((other) => other.name === variant));
      for (const variant of variants)
        expect(meantBy(variant) !== undefined, variant).to.equal(!common.includes(name) && variant !== name);
    }
  });

  it('is no setting, no empty variable and none of an orchestrator', () => {
    for (const { name } of Object.values(SETTINGS)) expect(meantBy(name), name).to.equal(undefined);
    expect(meantBy('DATADIR', '')).to.equal(undefined);
    expect(meantBy('CHAIN_PORT', 'tcp://10.3.2.1:8545')).to.equal(undefined);
    expect(meantBy('METRIC_PORT', 'tcp://10.3.2.1:9090')).to.equal(undefined);
  });

  for (const [program, names] of Object.entries(FOREIGN))
    it(`is no variable of ${program}`, () => {
      expect(findMisspelt(toEnvironment(names))).to.eql([]);
      expect(() => readConfig(toEnvironment(names))).not.to.throw();
    });

  it('ends the start with what was meant', () => {
    const given = { DATADIR: '/data', CHAIN_RPC_URLS: 'http://a:8545' };
    expect(() => readConfig(given))
      .to.throw('DATADIR is no setting; did you mean DATA_DIR?')
      .with.property('message')
      .that.includes('CHAIN_RPC_URLS is no setting; did you mean CHAIN_RPC_URL?');
  });

  it('is distinguished from the variable of a service with the name of a setting', () => {
    expect(() => readConfig({ METRICS_PORT: 'tcp://10.3.2.1:9090' })).to.throw('enableServiceLinks');
    expect(() => readConfig({ METRICS_PORT: 'x' }))
      .to.throw('METRICS_PORT')
      .with.property('message')
      .that.does.not.include('enableServiceLinks');
  });
});
