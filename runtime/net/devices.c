/* SPDX-License-Identifier: BSD-3-Clause */
/* See devices.h. */
#include "net/devices.h"

#include <dirent.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_MS = 50 };

struct list {
    char *text;
    size_t room, length;
    bool complete;
};

static void add(struct list *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list->text; (at = strstr(at, name)) != NULL; at += length) {
        bool begins = at == list->text || at[-1] == ',';
        if (begins && (at[length] == ',' || at[length] == '\0')) {
            return; /* by another address */
        }
    }
    if (list->length + length + 2 > list->room) {
        list->complete = false;
        return;
    }
    list->length += (size_t)sprintf(list->text + list->length, "%s%s", list->length ? "," : "", name);
}

/* A link-local address is no reason to believe that an interface leads anywhere. */
static bool is_reachable(const struct sockaddr *address) {
    if (!address || address->sa_family != AF_INET6) {
        return address && address->sa_family == AF_INET;
    }
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
    return !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr);
}

/* Adds all interfaces, or `only` one. Whether one is switched on whose link is not known to be up
 * yet. */
static bool add_interfaces(struct list *list, const char *only) {
    struct ifaddrs *all;
    bool comes = false;
    if (getifaddrs(&all) != 0) {
        return false;
    }
    for (const struct ifaddrs *it = all; it; it = it->ifa_next) {
        bool on = (it->ifa_flags & (IFF_UP | IFF_LOOPBACK)) == IFF_UP &&
                  is_reachable(it->ifa_addr) && (!only || strcmp(it->ifa_name, only) == 0);
        if (on && (it->ifa_flags & IFF_RUNNING)) {
            add(list, it->ifa_name);
        }
        comes = comes || (on && !(it->ifa_flags & IFF_RUNNING));
    }
    freeifaddrs(all);
    return comes;
}

static void add_running(struct list *list, const char *only, unsigned patience_ms) {
    unsigned waited = 0;
    while (add_interfaces(list, only) && !list->length && waited < patience_ms) {
        poll(NULL, 0, LOOK_MS);
        waited += LOOK_MS;
    }
}

static void add_ports_of(struct list *list, const char *device) {
    char name[600];
    snprintf(name, sizeof name, "/sys/class/infiniband/%s/ports", device);
    DIR *ports = opendir(name);
    for (struct dirent *port; ports && (port = readdir(ports)) != NULL;) {
        if (port->d_name[0] != '.') {
            snprintf(name, sizeof name, "%s:%s", device, port->d_name);
            add(list, name);
        }
    }
    if (ports) {
        closedir(ports);
    }
}

static void add_infiniband(struct list *list) {
    DIR *devices = opendir("/sys/class/infiniband");
    for (struct dirent *device; devices && (device = readdir(devices)) != NULL;) {
        if (device->d_name[0] != '.') {
            add_ports_of(list, device->d_name);
        }
    }
    if (devices) {
        closedir(devices);
    }
}

bool fl_devices_list(char *text, size_t room, unsigned patience_ms) {
    struct list list = {.text = text, .room = room, .complete = true};
    text[0] = '\0';
    add_infiniband(&list);
    add_running(&list, NULL, patience_ms);
    return list.length > 0 && list.complete;
}

void fl_devices_await(const char *interface, unsigned patience_ms) {
    char text[IF_NAMESIZE] = "";
    struct list list = {.text = text, .room = sizeof text};
    add_running(&list, interface, patience_ms);
}

bool fl_devices_address(const char *interface, char *text, size_t room) {
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0) {
        return false;
    }
    for (const struct ifaddrs *it = all; it && !found; it = it->ifa_next) {
        int family = it->ifa_addr ? it->ifa_addr->sa_family : AF_UNSPEC;
        socklen_t bytes = family == AF_INET    ? sizeof(struct sockaddr_in)
                          : family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                               : 0;
        found = bytes && strcmp(it->ifa_name, interface) == 0 &&
                getnameinfo(it->ifa_addr, bytes, text, (socklen_t)room, NULL, 0,
                            NI_NUMERICHOST) == 0;
    }
    freeifaddrs(all);
    return found;
}
